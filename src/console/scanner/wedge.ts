/**
 * A scanner that types: fast keys, ended by Enter, wherever the focus is.
 *
 * What it types into a field that has the focus is taken out again, so that a scan never ends up in
 * a quantity.
 */

/** No person types two keys in less; a scanner needs a few milliseconds. */
const betweenKeysMs = 40;
const shortestCode = 4;

interface Burst {
  text: string;
  lastAt: number;
  /** The field that has the focus, as it was before. */
  readonly field: HTMLInputElement | undefined;
  readonly before: string;
}

/** @returns what stops the listening. */
export function listenForScans(scanned: (code: string) => void): () => void {
  let burst: Burst | undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      const code = endOf(burst, event.timeStamp);
      burst = undefined;
      if (code === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      scanned(code);
      return;
    }
    const typed = typedBy(event);
    if (typed === undefined) return;
    if (burst !== undefined && event.timeStamp - burst.lastAt <= betweenKeysMs) {
      burst.text += typed;
      burst.lastAt = event.timeStamp;
    } else burst = begun(typed, event.timeStamp);
  };
  document.addEventListener('keydown', onKey, { capture: true });
  return () => {
    document.removeEventListener('keydown', onKey, { capture: true });
  };
}

/** FNC1 is a group separator, which keyboards type as Ctrl+]. */
function typedBy({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): string | undefined {
  if (ctrlKey && key === ']') return '\u001d';
  return key.length === 1 && !ctrlKey && !altKey && !metaKey ? key : undefined;
}

function begun(text: string, at: number): Burst {
  const focused = document.activeElement;
  const field = focused instanceof HTMLInputElement ? focused : undefined;
  return { text, lastAt: at, field, before: field?.value ?? '' };
}

function endOf(burst: Burst | undefined, at: number): string | undefined {
  if (burst === undefined || burst.text.length < shortestCode) return undefined;
  if (at - burst.lastAt > betweenKeysMs) return undefined;
  const { field, before, text } = burst;
  if (field !== undefined && field.value !== before) {
    field.value = before;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return text;
}
