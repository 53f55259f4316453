/** Debian's Chromium, as tests and tools start it: it asks nobody but the page's own host. */
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
export const desk = { viewport: { width: 1280, height: 800 } } as const;

export const hasChromium = existsSync(chromiumPath);

export async function launchChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: [...flags, ...extraFlags] });
}
