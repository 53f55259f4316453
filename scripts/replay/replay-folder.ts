/** The command from end to end: read, check, plan, run, report. */
import { helped } from '../help.ts';
import type { Command, ReplayOptions } from './command-line.ts';
import { readCommandLine, usageOf } from './command-line.ts';
import type { Parsed, Problem } from './csv.ts';
import { keptKey } from './kept-key.ts';
import type { Plan } from './plan.ts';
import { planReplay } from './plan.ts';
import { progressBar } from './progress-bar.ts';
import { readFolder } from './read-folder.ts';
import { reportOf } from './report.ts';
import { requestsOf } from './requests.ts';
import { parseRows } from './rows.ts';
import { requestCount, runReplay } from './run.ts';
import { probe, serviceClient } from './service-client.ts';
import { ReplayStopped } from './stopped.ts';

const problemsAtMost = 50;

/** Runs a command of the family and answers with its exit code; Ctrl-C ends it cleanly. */
export async function runCommand(command: Command): Promise<number> {
  if (helped(usageOf(command))) return 0;
  const interrupted = new AbortController();
  const onInterrupt = () => {
    interrupted.abort(
      new ReplayStopped('Interrupted. Run the same command again: it goes on where it was.'),
    );
  };
  process.once('SIGINT', onInterrupt);
  try {
    const options = readCommandLine(command, process.argv.slice(2), process.env);
    return await replayFolder(options, interrupted.signal);
  } catch (error) {
    if (!(error instanceof ReplayStopped)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

async function replayFolder(options: ReplayOptions, signal: AbortSignal): Promise<number> {
  const plan = await planOf(options);
  const requests = requestsOf(plan);
  const ready = await probe(options.url, signal);
  if (!ready) console.log('The service is up and not ready yet; what it turns away is sent again.');
  const client = serviceClient(options.url, options.key ?? (await keptKey(process.env)));
  const { skus, orderCount, ships } = plan;
  console.log(
    `${skus.length} products, ${orderCount} orders and ${ships.length} order lines from ${options.folder} to ${options.url}`,
  );
  const outcome = await withBar(requestCount(requests), (bar) =>
    runReplay(requests, client, bar, signal),
  );
  const report = reportOf(plan, outcome);
  console.log(`\n${report.text}`);
  return report.ok ? 0 : 1;
}

async function withBar<T>(
  total: number,
  work: (bar: ReturnType<typeof progressBar>) => Promise<T>,
): Promise<T> {
  using bar = progressBar(total);
  return await work(bar);
}

async function planOf({ folder, prefix }: ReplayOptions): Promise<Plan> {
  const rows = unlessProblems(parseRows(await readFolder(folder)));
  return unlessProblems(planReplay(rows, prefix));
}

function unlessProblems<T>(result: Parsed<T>): T {
  if (result.kind === 'parsed') return result.value;
  const { problems } = result;
  const listed = problems.slice(0, problemsAtMost).map(problemLine);
  const more =
    problems.length > problemsAtMost ? [`and ${problems.length - problemsAtMost} more`] : [];
  throw new ReplayStopped(
    ['The input is not right; nothing was sent.', ...listed, ...more].join('\n'),
  );
}

function problemLine({ file, line, message }: Problem): string {
  return `${file}:${line}: ${message}`;
}
