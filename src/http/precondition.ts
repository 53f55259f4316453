/** If-Match as the use cases take it. */
import type { QueryAnswer } from '../inventory/answer.ts';
import type { IfMatch } from './if-match.ts';
import type { Parsed } from './parse.ts';
import { parsed, unparsed } from './parse.ts';
import { refusalProblem, unavailable } from './problem.ts';

/**
 * `*` asks only whether the thing is there, which a look beforehand settles for good: no SKU, no
 * location and no reservation is ever forgotten.
 */
export async function ifVersionOf(
  ifMatch: IfMatch,
  look: () => Promise<QueryAnswer<unknown>>,
): Promise<Parsed<{ readonly ifVersion?: number }>> {
  switch (ifMatch.kind) {
    case 'unconditional':
      return parsed({});
    case 'version':
      return parsed({ ifVersion: ifMatch.version });
    case 'exists': {
      const answer = await look();
      if (answer.kind === 'unavailable') return unparsed(unavailable(answer));
      if (answer.kind === 'ok') return parsed({});
      return unparsed(refusalProblem({ code: 'version-mismatch', version: null }));
    }
  }
}
