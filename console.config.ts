/** Builds the console into files that the service serves itself. */
import path from 'node:path';
import preact from '@preact/preset-vite';
import { serwist } from '@serwist/vite';
import { defineConfig } from 'vite';

const root = path.join(import.meta.dirname, 'src/console');
const built = path.join(import.meta.dirname, 'dist/console');

export default defineConfig({
  root,
  base: '/',
  publicDir: 'public',
  build: {
    outDir: built,
    emptyOutDir: true,
    // A file inlined into the page would need a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [
    preact(),
    serwist({
      swSrc: path.join(root, 'service-worker.ts'),
      swDest: 'service-worker.js',
      globDirectory: built,
      globPatterns: ['**/*.{html,js,css,svg,png,webmanifest}'],
      injectionPoint: 'self.__SW_MANIFEST',
      rollupFormat: 'iife',
    }),
  ],
});
