// How tests run. `npm test` runs test/ without test/slow/; `npm run test:slow` runs only that (packaging, real sizes).

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const slow = process.env.TAGLOOM_SLOW === '1';

/**
 * Tests that change nothing outside themselves (no globals, no mocks) share a worker with its modules, which takes a third less
 * time than a fresh one for each file. Those that compute do not share one with those that start services and browsers.
 */
const PURE = inFolders(
  'data',
  'engine/numerics',
  'engine/tape',
  'evaluation',
  'graph',
  'models',
  'research',
  'training',
  'serving/export',
  'serving/recommend',
);
const SERVICES = inFolders('browser', 'commands', 'serving/curation', 'serving/http', 'serving/map', 'serving/reviews');
/** These replace methods or clocks. */
const REPLACING = [
  'test/commands/{apply,with-recommender}.test.ts',
  'test/serving/curation/failing-queue.test.ts',
  'test/serving/http/{guard,model-holder}.test.ts',
];
const SLOW = 'test/slow/**/*.test.ts';

export default defineConfig({
  // the source, not dist/; as a condition it would reach the threads that run dist/, too
  resolve: { alias: { '#platform': fileURLToPath(new URL('src/platform/node.ts', import.meta.url)) } },
  test: {
    testTimeout: slow ? 600_000 : 30_000,
    hookTimeout: slow ? 600_000 : 60_000, // many train a model first, on a busy machine, too
    expect: { poll: { timeout: 25_000 } }, // the default of a second passes unnoticed on a busy machine
    retry: process.env.CI === 'true' ? 1 : 0, // pages and stores on a busy machine; what needs it is reported as flaky
    pool: 'forks',
    maxWorkers: Math.ceil(1.5 * availableParallelism()), // tests of pages and stores wait more than they compute
    globalSetup: ['test/whole-run.ts'],
    setupFiles: ['test/each-file.ts'],
    projects: slow
      ? [{ extends: true, test: { name: 'slow', include: [SLOW] } }]
      : [
          { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
          { extends: true, test: { name: 'services', include: SERVICES, exclude: REPLACING, isolate: false } },
          {
            extends: true,
            test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: [...PURE, ...SERVICES, SLOW] },
          },
          { extends: true, test: { name: 'replacing', include: REPLACING } },
        ],
  },
});

function inFolders(...folders: string[]): string[] {
  return folders.map((folder) => `test/${folder}/**/*.test.ts`);
}
