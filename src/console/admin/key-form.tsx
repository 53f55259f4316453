import { useState } from 'preact/hooks';
import type { ApiKeyAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import type { Role } from '../role.ts';
import { texts } from '../texts.ts';
import { Choice, TextField } from '../ui/field.tsx';
import { listed } from '../ui/listed-text.ts';
import { ToldBox, useTold } from '../ui/told.tsx';

const roles: readonly Role[] = ['scanner', 'back_office', 'auditor', 'admin'];

/** A new key; its secret is shown until the page is left, and never again. */
export function KeyForm({ made }: { readonly made: () => void }) {
  const [name, call] = useState('');
  const [role, choose] = useState<string>('scanner');
  const [warehouses, limit] = useState('');
  const [secret, show] = useState<string>();
  const { told, doing } = useTold();
  const make = async (): Promise<void> => {
    show(undefined);
    const within = listed(warehouses);
    const body = { name: name.trim(), role, ...(within.length > 0 && { warehouses: within }) };
    const isMade = await doing(
      () => ask<ApiKeyAnswer & { readonly key: string }>('/v1/api-keys', { method: 'POST', body }),
      ({ key }) => {
        show(key);
        return texts.keys.shownOnce(body.name);
      },
    );
    if (isMade) made();
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <h2>{texts.keys.make}</h2>
      <TextField label={texts.words.name} required value={name} type={call} />
      <Choice
        label={texts.keys.role}
        value={role}
        options={roles}
        name={(one) => texts.keys.roles[one]}
        choose={choose}
      />
      <TextField label={texts.keys.within} value={warehouses} type={limit} />
      <button type="submit">{texts.keys.make}</button>
      <ToldBox told={told} />
      {secret === undefined ? null : (
        <p>
          <code>{secret}</code>
        </p>
      )}
    </form>
  );
}
