/** Reads the machine's own Debian mirror out of its apt sources. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The first mirror that serves a Debian release, as opposed to its security updates. */
export async function debianMirror(aptFolder = '/etc/apt'): Promise<string | undefined> {
  const parts = path.join(aptFolder, 'sources.list.d');
  const names = (await readdirOrEmpty(parts)).toSorted();
  const texts = [
    ...names
      .filter((name) => name.endsWith('.sources'))
      .map(async (name) => stanzaMirrors(await readFile(path.join(parts, name), 'utf8'))),
    ...names
      .filter((name) => name.endsWith('.list'))
      .map(async (name) => lineMirrors(await readFile(path.join(parts, name), 'utf8'))),
    readOrEmpty(path.join(aptFolder, 'sources.list')).then(lineMirrors),
  ];
  return (await Promise.all(texts)).flat()[0];
}

/** Mirrors named by a deb822 `.sources` file. */
export function stanzaMirrors(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = new Map(
      stanza
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => /^([\w-]+):\s*(.*)$/.exec(line))
        .filter((match) => match !== null)
        .map(([, name = '', value = '']) => [name.toLowerCase(), value.trim().split(/\s+/)]),
    );
    const isUsable =
      fields.get('types')?.includes('deb') === true && fields.get('enabled')?.[0] !== 'no';
    return isUsable && isRelease(fields.get('suites') ?? [], fields.get('components') ?? [])
      ? (fields.get('uris') ?? []).filter(isMirror)
      : [];
  });
}

/** Mirrors named by the `deb` lines of a `sources.list`. */
export function lineMirrors(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.+)$/.exec(line.trim()))
    .filter((match) => match !== null)
    .filter(([, , suite = '', components = '']) => isRelease([suite], components.split(/\s+/)))
    .map(([, uri = '']) => uri)
    .filter(isMirror);
}

function isRelease(suites: readonly string[], components: readonly string[]): boolean {
  const isSecurity = suites.every((suite) => /security|updates|backports/.test(suite));
  return !isSecurity && components.includes('main');
}

function isMirror(uri: string): boolean {
  return /^(?:https?|file|copy):/.test(uri);
}

async function readdirOrEmpty(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
