import { useState } from 'preact/hooks';
import type { ApiKeyAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { texts } from '../texts.ts';
import { Heading } from '../ui/heading.tsx';
import { Instant } from '../ui/instant.tsx';
import { useListed } from '../ui/listed.ts';
import { Rest } from '../ui/rest.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';
import { KeyForm } from './key-form.tsx';

/** Who may come in, made and revoked. */
export function KeyList() {
  const list = useListed<ApiKeyAnswer>('/v1/api-keys');
  return (
    <section>
      <Heading text={texts.nav.keys} />
      <KeyForm made={list.again} />
      <Table
        columns={[
          texts.words.name,
          texts.keys.role,
          texts.words.warehouse,
          texts.keys.made,
          texts.words.status,
        ]}
        rows={list.items.map((key) => ({
          key: key.id,
          cells: [
            key.name,
            texts.keys.roles[key.role],
            key.warehouses?.join(', ') ?? texts.keys.allWarehouses,
            <Instant at={key.createdAt} />,
            <Standing apiKey={key} revoked={list.again} />,
          ],
        }))}
      />
      <Rest list={list} none={texts.keys.none} />
    </section>
  );
}

function Standing({
  apiKey: { id, name, revokedAt },
  revoked,
}: {
  readonly apiKey: ApiKeyAnswer;
  readonly revoked: () => void;
}) {
  const [isAsked, askFirst] = useState(false);
  const { told, doing } = useTold();
  if (revokedAt !== undefined) return <>{texts.keys.revoked}</>;
  const revoke = async (): Promise<void> => {
    const path = `/v1/api-keys/${encodeURIComponent(id)}`;
    const isRevoked = await doing(
      () => ask(path, { method: 'DELETE' }),
      () => texts.keys.revoked,
    );
    if (isRevoked) revoked();
  };
  return (
    <>
      {isAsked ? (
        <button type="button" onClick={() => void revoke()}>
          {texts.keys.reallyRevoke(name)}
        </button>
      ) : (
        <button
          type="button"
          class="plain"
          aria-label={`${texts.keys.revoke} ${name}`}
          onClick={() => {
            askFirst(true);
          }}
        >
          {texts.keys.revoke}
        </button>
      )}
      <ToldBox told={told} />
    </>
  );
}
