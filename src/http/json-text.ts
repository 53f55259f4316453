/**
 * JSON as it comes in. JSON.parse decides what is JSON; a scan of the text before it finds what
 * parsing would hide: nesting that exhausts a stack, members that replace each other, and
 * fractions so fine that they would be rounded to a whole number.
 */
import { visit } from 'jsonc-parser';
import { jsonPointer, parsed, unparsed } from './parse.ts';
import type { Parsed } from './parse.ts';
import type { Problem } from './problem.ts';
import { validation } from './problem.ts';

const depthLimit = 32;

/** Ends the scan: the scanner recurses and has no other way to stop. */
class TooDeep extends Error {}

export function parseJson(text: string): Parsed<unknown> {
  const hidden = scan(text);
  if (hidden?.code === 'too-deep') return unparsed(hidden);
  const value = parseText(text);
  if (!value.ok) return value;
  if (typeof value.value !== 'object' || value.value === null) {
    return malformed('The body is neither an object nor an array.');
  }
  return hidden ? unparsed(hidden) : value;
}

function parseText(text: string): Parsed<unknown> {
  try {
    return parsed(JSON.parse(text));
  } catch (error) {
    return malformed(error instanceof Error ? error.message : 'The body is not JSON.');
  }
}

function malformed(detail: string): Parsed<never> {
  return unparsed({ code: 'malformed-json', detail });
}

/** The first thing that parsing would hide; depth goes before all else. */
function scan(text: string): Problem | undefined {
  let found: Problem | undefined;
  /** The member names seen in each open object; an array has none. */
  const open: Set<string>[] = [];
  const enter = () => {
    if (open.push(new Set()) > depthLimit) throw new TooDeep();
  };
  const leave = () => void open.pop();
  try {
    visit(
      text,
      {
        onObjectBegin: enter,
        onObjectEnd: leave,
        onArrayBegin: enter,
        onArrayEnd: leave,
        onObjectProperty: (name, _offset, _length, _line, _character, path) => {
          const names = open.at(-1);
          if (names?.has(name)) found ??= duplicate(jsonPointer([...path(), name]));
          names?.add(name);
        },
        onLiteralValue: (_value, offset, length, _line, _character, path) => {
          if (roundsToWhole(text.slice(offset, offset + length))) {
            const message = 'is a fraction too fine to keep, and nothing is rounded';
            found ??= validation([{ path: jsonPointer(path()), message }]);
          }
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { code: 'too-deep', detail: `At most ${depthLimit} levels of nesting are read.` };
  }
  return found;
}

function duplicate(path: string): Problem {
  return { code: 'duplicate-member', detail: `${path} occurs twice.`, members: { path } };
}

const numberParts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Whether a literal says a fraction and yet reads as a whole number, such as 1.00000000000000001. */
export function roundsToWhole(literal: string): boolean {
  const parts = numberParts.exec(literal);
  if (!parts || !Number.isInteger(Number(literal))) return false;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/0+$/, '');
  if (!/[1-9]/.test(digits)) return false;
  const dropped = whole.length + fraction.length - digits.length;
  return Number(exponent) - fraction.length + dropped < 0;
}
