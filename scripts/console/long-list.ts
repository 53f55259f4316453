/** Somebody who scrolls a long list to its end. */
import type { Page } from 'playwright-core';

/** Whenever rows came in, on to the last of them. */
const scrollOn = `(() => {
  const region = document.querySelector('.windowed');
  const toEnd = () => { region.scrollTop = region.scrollHeight; };
  window.scrollingOn = new MutationObserver(toEnd);
  window.scrollingOn.observe(region, { subtree: true, attributeFilter: ['aria-rowcount'] });
  toEnd();
})()`;

/** @param count rows without the head; it waits until they are all listed. */
export async function scrollToTheEnd(page: Page, count: number): Promise<void> {
  await page.locator('.windowed tbody tr').first().waitFor();
  await page.evaluate(scrollOn);
  await page.locator(`.windowed table[aria-rowcount="${count + 1}"]`).waitFor();
  await page.evaluate('window.scrollingOn.disconnect()');
}
