/**
 * `npm run architecture`: draws the folders and their imports into ARCHITECTURE.md, from the code.
 * With `--check` it writes nothing and exits 1 where the page no longer shows the code.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { ICruiseResult } from 'dependency-cruiser';
import { cruise } from 'dependency-cruiser';
import readOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import readTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { format, resolveConfig } from 'prettier';

const page = 'ARCHITECTURE.md';
const begin = '<!-- picture: begin (npm run architecture) -->';
const end = '<!-- picture: end -->';
const roots = ['src', 'sagas', 'scripts'];
/** Not drawn for itself, only where a script uses what the tests have. */
const borrowed = 'test';

/** A folder, or a file that stands alone in src. */
interface Part {
  files: number;
  /** How many imports lead from its files to those of another part. */
  readonly imports: Map<string, number>;
  readonly packages: Set<string>;
  readonly nodeModules: Set<string>;
}

type Parts = ReadonlyMap<string, Part>;

async function readImports(): Promise<ICruiseResult> {
  const options = await readOptions('./.dependency-cruiser.cjs');
  const tsConfig = readTsConfig('tsconfig.json');
  const { output } = await cruise(roots, options, undefined, { tsConfig });
  if (typeof output === 'string') throw new TypeError('dependency-cruiser gave text, not imports');
  return output;
}

/** `src/http/auth.ts` → `src/http`; `src/main.ts` stays; everything in sagas is one part. */
function partOf(file: string): string | undefined {
  const [root, name, rest] = file.split('/');
  if (root === undefined || name === undefined || ![...roots, borrowed].includes(root)) {
    return undefined;
  }
  if (root === 'sagas') return root;
  if (rest !== undefined) return `${root}/${name}`;
  return root === 'src' ? file : root;
}

function partsOf({ modules }: ICruiseResult): Parts {
  const parts = new Map<string, Part>();
  for (const { source, dependencies } of modules) {
    const name = partOf(source);
    if (name === undefined || source.startsWith(`${borrowed}/`)) continue;
    const part = parts.get(name) ?? emptyPart();
    parts.set(name, part);
    part.files += 1;
    // A file that imports types and values of another one by two statements imports it once.
    const seen = new Set<string>();
    for (const { resolved, module, coreModule } of dependencies) {
      if (seen.has(resolved)) continue;
      seen.add(resolved);
      const target = partOf(resolved);
      if (coreModule) part.nodeModules.add(module);
      else if (target === undefined) part.packages.add(packageOf(module));
      else if (target !== name) part.imports.set(target, (part.imports.get(target) ?? 0) + 1);
    }
  }
  return new Map(sorted(parts));
}

function emptyPart(): Part {
  return { files: 0, imports: new Map(), packages: new Set(), nodeModules: new Set() };
}

function packageOf(module: string): string {
  const [first = module, second] = module.split('/');
  return first.startsWith('@') && second !== undefined ? `${first}/${second}` : first;
}

/** By name, whatever the machine's locale, so that the page is the same everywhere. */
function sorted<T>(entries: Iterable<readonly [string, T]>): [string, T][] {
  return [...entries]
    .map(([name, value]): [string, T] => [name, value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function picture(parts: Parts): string {
  const targets = [...parts.values()].flatMap(({ imports }) => [...imports.keys()]);
  const names = [...new Set([...parts.keys(), ...targets])];
  const ids = new Map(names.map((name, index) => [name, `p${index}`]));
  const nodes = [...ids].map(([name, id]) => `  ${id}["${name}"]`);
  const edges = [...parts].flatMap(([name, { imports }]) =>
    sorted(imports).map(([target, count]) => {
      const [from, to] = [ids.get(name) ?? name, ids.get(target) ?? target];
      return `  ${from} -->|${count}| ${to}`;
    }),
  );
  return ['```mermaid', 'flowchart TD', ...nodes, ...edges, '```'].join('\n');
}

function table(parts: Parts): string {
  const rows = [...parts].map(([name, part]) => {
    const imports = sorted(part.imports).map(([target, count]) => `${target} ${count}`);
    const cells = [
      `\`${name}\``,
      String(part.files),
      list(imports),
      list([...part.packages].sort()),
      list([...part.nodeModules].sort()),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const header =
    '| part | files | imports from | packages | Node modules |\n|---|---:|---|---|---|';
  return [header, ...rows].join('\n');
}

function list(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.join(', ');
}

/** The page with its generated stretch replaced, in the project's formatting. */
async function redrawn(text: string): Promise<string> {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) {
    throw new Error(`${page} needs the lines "${begin}" and "${end}", in this order`);
  }
  const parts = partsOf(await readImports());
  const generated = [begin, picture(parts), table(parts), ''].join('\n\n');
  const whole = text.slice(0, before) + generated + text.slice(after);
  return await format(whole, { ...(await resolveConfig(page)), filepath: page });
}

const text = await readFile(page, 'utf8');
const drawn = await redrawn(text);
if (drawn === text) {
  console.log(`${page} shows the code as it is.`);
} else if (process.argv.includes('--check')) {
  console.error(`${page} no longer shows the code. Run \`npm run architecture\` and commit it.`);
  process.exitCode = 1;
} else {
  await writeFile(page, drawn);
  console.log(`${page} is drawn anew.`);
}
