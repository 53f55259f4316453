/** `explain` for reads: PostgreSQL's plan, and the stage name that MongoDB would give it. */
import { withSession, type Handler } from './engine-calls.ts';
import { documentLength, readElements, stringValue } from './raw-document.ts';
import { CommandError, encode } from './replies.ts';

const QUERY_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['find', 'bson_aggregation_find'],
  ['aggregate', 'bson_aggregation_pipeline'],
  ['count', 'bson_aggregation_count'],
  ['distinct', 'bson_aggregation_distinct'],
]);

interface PlanSummary {
  readonly stage: 'IXSCAN' | 'COLLSCAN' | 'EOF';
  readonly indexName?: string;
}

/** Explains find, aggregate, count and distinct; `executionStats` runs the query to measure it. */
export const explain: Handler = async (command, context) => {
  const element = command.element('explain');
  if (element?.type !== 0x03) throw new CommandError(14, 'TypeMismatch', 'explain needs a command');
  const inner = command.source.subarray(element.valueStart, element.end);
  documentLength(inner, 0);
  const target = readElements(inner)[0];
  const functionName = QUERY_FUNCTIONS.get(target?.name ?? '');
  if (target === undefined || functionName === undefined) {
    throw new CommandError(59, 'CommandNotFound', `cannot explain '${target?.name ?? ''}'`);
  }
  const verbosity = command.element('verbosity');
  const isPlanOnly =
    verbosity !== undefined && stringValue(command.source, verbosity) === 'queryPlanner';
  const rows = await withSession(context, command.maxTimeMs, (session) =>
    session.run(
      {
        name: `explain ${functionName} ${String(isPlanOnly)}`,
        text: `EXPLAIN (FORMAT JSON, ANALYZE ${isPlanOnly ? 'OFF' : 'ON'}) SELECT document
          FROM documentdb_api_catalog.${functionName}($1, $2::bytea::documentdb_core.bson)`,
      },
      [command.database, inner],
    ),
  );
  const plan = rows[0]?.[0];
  return encode({
    queryPlanner: {
      namespace: `${command.database}.${stringValue(inner, target) ?? ''}`,
      winningPlan: { ...summarise(plan), postgres: plan },
    },
    ok: 1,
  });
};

/** The scan at the bottom of a plan. */
function summarise(plan: unknown): PlanSummary {
  if (Array.isArray(plan)) {
    return plan.map(summarise).find((summary) => summary.stage !== 'EOF') ?? { stage: 'EOF' };
  }
  if (typeof plan !== 'object' || plan === null) return { stage: 'EOF' };
  if ('Index Name' in plan && typeof plan['Index Name'] === 'string') {
    return { stage: 'IXSCAN', indexName: plan['Index Name'] };
  }
  if ('Node Type' in plan && plan['Node Type'] === 'Seq Scan') return { stage: 'COLLSCAN' };
  return summarise(Object.values(plan).filter((value) => typeof value === 'object'));
}
