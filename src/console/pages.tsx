/** Every page of the console: its path, who sees it, and its place in the navigation. */
import type { ComponentType } from 'preact';
import { SkuList } from './back-office/sku-list.tsx';
import { ScanPage } from './scanner/scan-page.tsx';
import type { Role } from './session.ts';
import { texts } from './texts.ts';

interface ConsolePage {
  readonly path: string;
  /** In the navigation; a page without one is reached from another. */
  readonly title?: string;
  readonly roles: readonly Role[];
  readonly page: ComponentType;
}

const everyone: readonly Role[] = ['scanner', 'back_office', 'auditor', 'admin'];

const handlers: readonly Role[] = ['scanner', 'back_office', 'admin'];

const pages: readonly ConsolePage[] = [
  { path: '/scan', title: texts.nav.scan, roles: handlers, page: ScanPage },
  { path: '/skus', title: texts.nav.skus, roles: everyone, page: SkuList },
];

/** In the order of the navigation. The first stands at `/` as well. */
export function pagesOf(role: Role): readonly ConsolePage[] {
  const own = pages.filter(({ roles }) => roles.includes(role));
  const [first] = own;
  return first === undefined ? own : [{ path: '/', roles: first.roles, page: first.page }, ...own];
}
