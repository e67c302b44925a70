import { defineConfig } from 'vitest/config';

// `npm test` runs test/ without test/slow/; `npm run test:slow` runs only that (packaging, real sizes).
const slow = process.env.TAGLOOM_SLOW === '1';

export default defineConfig({
  test: {
    include: [slow ? 'test/slow/**/*.test.ts' : 'test/**/*.test.ts'],
    exclude: slow ? [] : ['test/slow/**'],
    testTimeout: slow ? 600_000 : 30_000,
    expect: { poll: { timeout: 25_000 } }, // a second, as it is unless told, passes unnoticed on a busy machine
    pool: 'forks',
    maxWorkers: '100%', // unless told, one core of two would stand idle
    setupFiles: ['test/property-seed.ts'],
  },
});
