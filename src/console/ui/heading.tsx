/** What a page is called: its heading, and its name in the browser's tab and history. */
import { useEffect } from 'preact/hooks';
import { texts } from '../texts.ts';

export function Heading({ text }: { readonly text: string }) {
  useTitle(text);
  return <h1>{text}</h1>;
}

export function useTitle(text: string): void {
  useEffect(() => {
    document.title = texts.pageTitle(text);
  }, [text]);
}
