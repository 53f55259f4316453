/**
 * A bound on the requests that are worked at in one process. Past it a request is turned away at
 * once, since it would only wait until nobody wants its answer any more.
 *
 * 1. A request counts from the moment its body is in: whoever sends slowly, or never to the end,
 *    keeps nobody else out.
 * 2. It counts until its answer is known: whoever reads slowly keeps nobody out either.
 */
import type { IncomingMessage } from 'node:http';

export interface Work {
  readonly end: () => void;
}

export interface UnderWay {
  /** @returns undefined where too much is under way already. */
  readonly begin: (request: IncomingMessage) => Work | undefined;
  readonly count: () => number;
}

/** Far more than one process can answer within a request's deadline. */
const usualLimit = 1_000;

export function createUnderWay(limit = usualLimit): UnderWay {
  let count = 0;
  return {
    begin: (request) => {
      if (count >= limit) return undefined;
      let counted = false;
      const enter = (): void => {
        counted = true;
        count += 1;
      };
      if (hasBody(request)) request.once('end', enter);
      else enter();
      return {
        end: () => {
          request.off('end', enter);
          if (counted) count -= 1;
        },
      };
    },
    count: () => count,
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': transfer } = headers;
  return transfer !== undefined || Number(length) !== 0;
}
