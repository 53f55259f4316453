/** Every page of the console: its path, who sees it, and its place in the navigation. */
import type { ComponentType } from 'preact';
import { KeyList } from './admin/key-list.tsx';
import { HistoryPage } from './auditor/history-page.tsx';
import { MovementsPage } from './auditor/movements-page.tsx';
import { CountList } from './back-office/count-list.tsx';
import { CountPage } from './back-office/count-page.tsx';
import { LocationList } from './back-office/location-list.tsx';
import { LowStock } from './back-office/low-stock.tsx';
import { NewOrder, OrderList } from './back-office/order-list.tsx';
import { OrderPage } from './back-office/order-page.tsx';
import { NewSku } from './back-office/sku-form.tsx';
import { SkuList } from './back-office/sku-list.tsx';
import { SkuPage } from './back-office/sku-page.tsx';
import { DockPage } from './dock/dock-page.tsx';
import { ScanPage } from './scanner/scan-page.tsx';
import type { Role } from './role.ts';
import { texts } from './texts.ts';

interface ConsolePage {
  readonly path: string;
  /** In the navigation; a page without one is reached from another. */
  readonly title?: string;
  /** The page of the navigation that it belongs to, where its path does not say so. */
  readonly under?: string;
  readonly roles: readonly Role[];
  readonly page: ComponentType;
}

const everyone: readonly Role[] = ['scanner', 'back_office', 'auditor', 'admin'];
const handlers: readonly Role[] = ['scanner', 'back_office', 'admin'];
const managers: readonly Role[] = ['back_office', 'admin'];
const office: readonly Role[] = [...managers, 'auditor'];
const { nav } = texts;

const pages: readonly ConsolePage[] = [
  { path: '/scan', title: nav.scan, roles: handlers, page: ScanPage },
  { path: '/skus', title: nav.skus, roles: everyone, page: SkuList },
  { path: '/skus/:sku', roles: everyone, page: SkuPage },
  { path: '/skus/:sku/history', roles: everyone, page: HistoryPage },
  { path: '/new-sku', under: '/skus', roles: managers, page: NewSku },
  { path: '/locations', title: nav.locations, roles: office, page: LocationList },
  { path: '/orders', title: nav.orders, roles: office, page: OrderList },
  { path: '/orders/:number', roles: office, page: OrderPage },
  { path: '/new-order', under: '/orders', roles: managers, page: NewOrder },
  { path: '/counts', title: nav.counts, roles: everyone, page: CountList },
  { path: '/counts/:id', roles: everyone, page: CountPage },
  { path: '/dock', title: nav.dock, roles: office, page: DockPage },
  { path: '/low-stock', title: nav.lowStock, roles: office, page: LowStock },
  { path: '/movements', title: nav.movements, roles: office, page: MovementsPage },
  { path: '/keys', title: nav.keys, roles: ['admin'], page: KeyList },
];

/** In the order of the navigation. The first stands at `/` as well. */
export function pagesOf(role: Role): readonly ConsolePage[] {
  const own = pages.filter(({ roles }) => roles.includes(role));
  const [first] = own;
  if (first === undefined) return own;
  return [{ path: '/', under: first.path, roles: first.roles, page: first.page }, ...own];
}

/** Which page of the navigation somebody is on, or under: the start page is its first one. */
export function placeIn(
  own: readonly ConsolePage[],
  here: string,
): { readonly path: string; readonly how: 'page' | 'true' } | undefined {
  const itself = own.find(({ path }) => path === here);
  if (itself === undefined) {
    const above = own.find(({ path, title }) => title !== undefined && here.startsWith(`${path}/`));
    return above === undefined ? undefined : { path: above.path, how: 'true' };
  }
  const { path, under } = itself;
  return { path: under ?? path, how: under === undefined || path === '/' ? 'page' : 'true' };
}
