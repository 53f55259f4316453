import { useState } from 'preact/hooks';
import { ask, explained } from './api.ts';
import type { Role } from './role.ts';
import { signIn } from './session.ts';
import { texts } from './texts.ts';
import { useTitle } from './ui/heading.tsx';

interface Holder {
  readonly name: string;
  readonly role: Role;
  readonly warehouses?: readonly string[];
}

export function SignIn() {
  useTitle(texts.signIn.heading);
  const [key, setKey] = useState('');
  const [onDevice, setOnDevice] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const entered = key.trim();
    const answer = await ask<Holder>('/v1/session', { key: entered });
    if (answer.kind === 'ok')
      signIn({ ...answer.value, key: entered }, onDevice ? 'device' : 'tab');
    else {
      const isRefused = answer.kind === 'problem' && answer.problem.status === 401;
      setRefusal(isRefused ? texts.signIn.refused : explained(answer));
    }
  }

  return (
    <main class="sign-in">
      <h1>{texts.title}</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          {texts.signIn.key}
          <input
            type="password"
            autocomplete="current-password"
            required
            value={key}
            onInput={({ currentTarget }) => {
              setKey(currentTarget.value);
            }}
          />
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={onDevice}
            onChange={({ currentTarget }) => {
              setOnDevice(currentTarget.checked);
            }}
          />
          {texts.signIn.keepOnDevice}
        </label>
        {refusal === undefined ? null : (
          <p role="alert" class="refused">
            {refusal}
          </p>
        )}
        <button type="submit">{texts.signIn.submit}</button>
      </form>
    </main>
  );
}
