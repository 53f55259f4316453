import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  debianMirror,
  lineMirrors,
  stanzaMirrors,
} from '../../../scripts/local-engine/apt-sources.ts';

describe('the mirror of a .sources file', () => {
  it('is that of the release, not of its security updates', () => {
    const text = `
# a comment
Types: deb
URIs: https://mirror.example/security
Suites: bookworm-security
Components: main

Types: deb
# another
URIs: https://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian.gpg
`;
    expect(stanzaMirrors(text)).toEqual(['https://mirror.example/debian']);
  });

  it('leaves out sources and what is switched off', () => {
    const stanza = (more: string) =>
      `URIs: https://mirror.example/debian\nSuites: trixie\nComponents: main\n${more}`;
    expect(stanzaMirrors(stanza('Types: deb-src'))).toEqual([]);
    expect(stanzaMirrors(stanza('Types: deb\nEnabled: no'))).toEqual([]);
    expect(stanzaMirrors(stanza('Types: deb'))).toHaveLength(1);
  });
});

describe('the mirror of a sources.list', () => {
  it('is that of a deb line, with or without options', () => {
    const text = `
# deb https://old.example/debian bookworm main
deb-src https://mirror.example/src bookworm main
deb https://mirror.example/security bookworm-security main
deb [signed-by=/k.gpg arch=amd64] https://mirror.example/debian bookworm main contrib
`;
    expect(lineMirrors(text)).toEqual(['https://mirror.example/debian']);
  });
});

describe("a machine's mirror", () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-apt-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('is undefined where there are no apt sources', async () => {
    expect(await debianMirror(folder)).toBeUndefined();
    expect(await debianMirror(path.join(folder, 'absent'))).toBeUndefined();
  });

  it('is found in either place', async () => {
    const list = 'deb https://list.example/debian bookworm main\n';
    await writeFile(path.join(folder, 'sources.list'), list);
    expect(await debianMirror(folder)).toBe('https://list.example/debian');
    await mkdir(path.join(folder, 'sources.list.d'));
    await writeFile(
      path.join(folder, 'sources.list.d/debian.sources'),
      'Types: deb\nURIs: https://stanza.example/debian\nSuites: trixie\nComponents: main\n',
    );
    expect(await debianMirror(folder)).toBe('https://stanza.example/debian');
  });
});
