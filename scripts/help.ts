/** `--help`, the same for every command. */

/** @returns whether it was asked for; then it is printed and nothing else is to be done. */
export function helped(usage: string): boolean {
  if (!process.argv.slice(2).includes('--help')) return false;
  process.stdout.write(`${usage}\n`);
  return true;
}
