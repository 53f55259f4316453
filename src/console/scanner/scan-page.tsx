import { useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { knownLocations, recognise, refreshCatalogue } from '../device/catalogue.ts';
import type { KnownLocation } from '../device/database.ts';
import { lastOutcome } from '../device/queue.ts';
import { texts } from '../texts.ts';
import { Heading } from '../ui/heading.tsx';
import { Camera } from './camera.tsx';
import { readCode } from './code.ts';
import { QueueList } from './queue-list.tsx';
import { sound } from './sounds.ts';
import { listenForScans } from './wedge.ts';
import type { Goods } from './work-form.tsx';
import { WorkForm } from './work-form.tsx';

type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'goods'; readonly goods: Goods; readonly turn: number }
  | { readonly kind: 'unknown'; readonly why: string };

/** Scan or type, then receive, ship, transfer, adjust or count. */
export function ScanPage() {
  const [found, find] = useState<Found>({ kind: 'nothing' });
  const [isLooking, look] = useState(false);
  const [locations, setLocations] = useState<readonly KnownLocation[]>([]);
  const turn = useRef(0);
  const scanned = useCallback(async (text: string) => {
    const mine = (turn.current += 1);
    const result = await goodsBehind(text);
    if (mine !== turn.current) return;
    if (result.kind === 'unknown') sound('refused');
    find(result.kind === 'goods' ? { ...result, turn: mine } : result);
  }, []);
  useEffect(() => listenForScans((code) => void scanned(code)), [scanned]);
  useEffect(() => {
    const show = async (): Promise<void> => {
      setLocations(await knownLocations());
    };
    void show().then(refreshCatalogue).then(show);
  }, []);
  useSignalEffect(() => {
    const outcome = lastOutcome.value;
    if (outcome !== undefined) sound(outcome.kind);
  });
  return (
    <section>
      <Heading text={texts.nav.scan} />
      <CodeField entered={scanned} />
      {isLooking ? (
        <Camera
          scanned={(code) => {
            look(false);
            void scanned(code);
          }}
          close={() => {
            look(false);
          }}
        />
      ) : (
        <button
          type="button"
          onClick={() => {
            look(true);
          }}
        >
          {texts.camera.open}
        </button>
      )}
      {found.kind === 'unknown' ? (
        <p role="alert" class="refused">
          {found.why}
        </p>
      ) : null}
      {found.kind === 'goods' ? (
        <WorkForm
          key={found.turn}
          goods={found.goods}
          locations={locations}
          done={() => {
            find({ kind: 'nothing' });
          }}
        />
      ) : null}
      <QueueList />
    </section>
  );
}

async function goodsBehind(
  text: string,
): Promise<{ kind: 'goods'; goods: Goods } | { kind: 'unknown'; why: string }> {
  const code = readCode(text);
  if (code.kind === 'misread') return { kind: 'unknown', why: texts.scan.misread };
  const recognised = await recognise(code.kind === 'gtin' ? code.gtin : code.code);
  if (recognised === undefined) return { kind: 'unknown', why: texts.scan.unknown(text) };
  const { lot, expiry, quantity } = code.kind === 'gtin' ? code : {};
  return {
    kind: 'goods',
    goods: {
      ...recognised,
      ...(lot === undefined ? {} : { lot }),
      ...(expiry === undefined ? {} : { expiry }),
      ...(quantity === undefined ? {} : { quantity }),
    },
  };
}

function CodeField({ entered }: { readonly entered: (code: string) => Promise<void> }) {
  const [text, type] = useState('');
  return (
    <form
      class="code"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        void entered(text);
        type('');
      }}
    >
      <label>
        {texts.scan.code}
        <input
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            type(currentTarget.value);
          }}
        />
      </label>
      <button type="submit">{texts.scan.find}</button>
    </form>
  );
}
