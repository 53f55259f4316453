/** Somebody who comes to the console with a key of their role and signs in by its form. */
import type { BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import type { Client } from './http-client.ts';
import { signedIn } from './browser.ts';

type Role = 'scanner' | 'back_office' | 'auditor';

const made = z.object({ key: z.string() });

let names = 0;

/** A new key of a role, of some warehouses alone where they are named. */
export async function roleKey(
  client: Client,
  role: Role,
  warehouses?: readonly string[],
): Promise<string> {
  names += 1;
  const name = `${role.replace('_', '-')}-${names}`;
  const body = { name, role, ...(warehouses !== undefined && { warehouses }) };
  return made.parse((await client.send('POST', '/v1/api-keys', { body })).body).key;
}

/** The start page, as a holder of the role finds it. */
export async function arrived(context: BrowserContext, client: Client, role: Role): Promise<Page> {
  return signedIn(context, client.url, await roleKey(client, role));
}

/** The pages that the navigation offers, in its order. */
export async function offered(page: Page): Promise<readonly string[]> {
  return page.getByRole('navigation').getByRole('link').allTextContents();
}

/** The page of the navigation that is marked as the one somebody is on. */
export async function marked(page: Page): Promise<string | null> {
  return page.getByRole('navigation').locator('[aria-current]').textContent();
}
