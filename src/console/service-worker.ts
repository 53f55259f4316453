/** Keeps the console's own files on the device, so that it opens without a network. */
/// <reference lib="webworker" />
import type { PrecacheEntry } from 'serwist';
import { NavigationRoute, Serwist } from 'serwist';

declare const self: ServiceWorkerGlobalScope & {
  readonly __SW_MANIFEST: (PrecacheEntry | string)[];
};

const serwist = new Serwist({
  precacheEntries: self.__SW_MANIFEST,
  skipWaiting: true,
  clientsClaim: true,
});
// The API is never answered from the device: what it says must be what is so.
serwist.registerRoute(
  new NavigationRoute(serwist.createHandlerBoundToUrl('/index.html'), {
    denylist: [/^\/v1\//, /^\/docs/, /^\/openapi\.json$/, /^\/metrics$/],
  }),
);
serwist.addEventListeners();
