import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{domain,inventory,http,metrics,store,sagas,scripts,console,deploy}/**/*.test.ts',
          ],
          exclude: ['test/**/*.{engine,browser}.test.ts'],
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'engine',
          include: ['test/**/*.engine.test.ts'],
          globalSetup: ['test/support/engine-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/console/**/*.browser.test.ts'],
          globalSetup: ['test/support/engine-setup.ts', 'test/support/console-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
