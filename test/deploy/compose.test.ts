/** What the compose file and the image must be, read from the files that docker reads. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from '../../src/config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (name: string) => readFile(path.join(root, name), 'utf8');

const service = z.object({
  build: z.string().optional(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  stop_grace_period: z.string().optional(),
});

const compose = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
  volumes: z.record(z.string(), z.null()),
});

type Service = z.output<typeof service>;

async function readCompose() {
  const file = compose.parse(parse(await textOf('docker-compose.yml'), { merge: true }));
  const all = Object.entries(file.services);
  const named = (isOne: (one: Service) => boolean) => all.filter(([, one]) => isOne(one));
  return {
    ...file,
    all,
    members: named(({ command = [] }) => command.includes('--replSet')),
    processes: named(({ build }) => build !== undefined),
  };
}

describe('docker-compose.yml', () => {
  it('has a replica set of three, each with its own data', async () => {
    const { members, volumes } = await readCompose();
    expect(members).toHaveLength(3);
    const folders = members.flatMap(([, one]) => one.volumes.map((volume) => volume.split(':')[0]));
    expect(new Set(folders).size).toBe(3);
    for (const folder of folders) expect(Object.keys(volumes)).toContain(folder);
    const script = await textOf('deploy/replica-set.js');
    for (const [name] of members) expect(script).toContain(`'${name}'`);
  });

  it('has two processes on that set, which start once it has a primary', async () => {
    const { processes, members } = await readCompose();
    expect(processes).toHaveLength(2);
    for (const [, { environment, depends_on: after }] of processes) {
      const uri = environment['MONGODB_URI'] ?? '';
      for (const [name] of members) expect(uri).toContain(name);
      expect(after['mongo-init']).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  it('gives them settings that the service accepts', async () => {
    const { processes } = await readCompose();
    for (const [, { environment }] of processes) {
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+):([-?])(.*)\}/, (_, of: string, kind: string, text: string) =>
          kind === '?' ? `a-value-for-${of}` : text,
        ),
      ]);
      const settings = readSettings(
        z.record(z.string(), z.string()).parse(Object.fromEntries(filled)),
      );
      expect(settings).toMatchObject({ host: '0.0.0.0', trustProxy: 1 });
      expect(settings.rateLimitPerAddress).toBeGreaterThan(0);
    }
  });

  it('lets nobody in but through the proxy, and nobody to the database but the processes', async () => {
    const { all, members, networks } = await readCompose();
    const published = all.filter(([, { ports }]) => ports.length > 0).map(([name]) => name);
    expect(published).toEqual(['proxy']);
    expect(networks['data']).toEqual({ internal: true });
    for (const [, one] of members) expect(one.networks).toEqual(['data']);
    expect(all.find(([name]) => name === 'proxy')?.[1].networks).toEqual(['front']);
  });

  it('checks the health of whatever keeps running', async () => {
    const { all } = await readCompose();
    const unchecked = all.filter(([, one]) => one.healthcheck === undefined);
    expect(unchecked.map(([name]) => name)).toEqual(['mongo-init']);
  });

  it('names files that are there, and processes that the proxy knows', async () => {
    const { all, processes } = await readCompose();
    const mounted = all.flatMap(([, { volumes }]) => volumes).filter((one) => one.startsWith('./'));
    expect(mounted.length).toBeGreaterThan(0);
    for (const volume of mounted) {
      expect(existsSync(path.join(root, volume.split(':')[0] ?? ''))).toBe(true);
    }
    const proxy = await textOf('deploy/Caddyfile');
    for (const [name] of processes) expect(proxy).toContain(`${name}:8080`);
  });

  const client = spawnSync('docker', ['compose', 'version'], { encoding: 'utf8' });
  const hasCompose = client.status === 0;
  if (!hasCompose) process.stderr.write('SKIPPED: docker compose is not here; nobody asks it.\n');

  it.skipIf(!hasCompose)('is what docker compose can read', () => {
    const env = { ...process.env, ADMIN_API_KEY: 'a-key-for-tests-only' };
    const args = ['compose', '-f', path.join(root, 'docker-compose.yml'), 'config', '--quiet'];
    const read = spawnSync('docker', args, { env, encoding: 'utf8' });
    expect({ status: read.status, said: read.stderr }).toEqual({ status: 0, said: '' });
  });
});

interface Stage {
  readonly lines: readonly string[];
}

async function stagesOf(): Promise<readonly Stage[]> {
  const text = (await textOf('Dockerfile')).replaceAll(/\\\n/g, ' ');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const stages: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('FROM ')) stages.push([]);
    stages.at(-1)?.push(line);
  }
  return stages.map((stage) => ({ lines: stage }));
}

describe('the Dockerfile', () => {
  it('ships no more than production dependencies and what was built', async () => {
    const stages = await stagesOf();
    expect(stages.length).toBeGreaterThanOrEqual(2);
    const last = stages.at(-1)?.lines ?? [];
    expect(last.filter((line) => line.startsWith('RUN '))).toEqual([]);
    const copied = last.filter((line) => line.startsWith('COPY '));
    expect(copied).toEqual([
      'COPY package.json ./',
      'COPY --from=dependencies /app/node_modules node_modules',
      'COPY --from=build /app/dist dist',
    ]);
    const dependencies = stages.find(({ lines }) => lines[0]?.endsWith(' AS dependencies'));
    const installs = dependencies?.lines.filter((line) => line.startsWith('RUN '));
    expect(installs).toEqual(['RUN npm install --omit=dev --no-audit --no-fund']);
  });

  it('runs as a user who is not root, with a health check, the entry point that npm run serve has', async () => {
    const last = (await stagesOf()).at(-1)?.lines ?? [];
    const user = last.findLast((line) => line.startsWith('USER '));
    expect(user).toBe('USER node');
    expect(last.some((line) => line.startsWith('HEALTHCHECK ') && line.includes('/livez'))).toBe(
      true,
    );
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await textOf('package.json')));
    const command = z.array(z.string()).parse(JSON.parse(last.at(-1)?.replace('CMD ', '') ?? ''));
    expect(command.join(' ')).toBe(scripts['serve']);
  });

  it('gets from .dockerignore all that it copies, and nothing else', async () => {
    const lines = (await textOf('.dockerignore')).split('\n').filter((line) => /^[^#]/.test(line));
    expect(lines[0]).toBe('*');
    const allowed = lines.slice(1).map((line) => line.replace('!', ''));
    const copied = (await stagesOf())
      .flatMap(({ lines: stage }) => stage)
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(new Set(allowed)).toEqual(new Set(copied));
    for (const name of allowed) expect(existsSync(path.join(root, name))).toBe(true);
  });
});
