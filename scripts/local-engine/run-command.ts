/** Runs a program to its end, line by line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Rejects with the program's last words when it fails. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const recent: string[] = [];
  const keep = (line: string): void => {
    recent.push(line);
    if (recent.length > 12) recent.shift();
    onLine(line);
  };
  createInterface({ input: child.stdout }).on('line', keep);
  createInterface({ input: child.stderr }).on('line', keep);
  await once(child, 'close');
  if (child.exitCode === 0) return;
  const how = child.signalCode ?? `code ${String(child.exitCode)}`;
  throw new Error([`${program} ended with ${how}`, ...recent].join('\n  '));
}
