// Runs before each file of tests.

import fc from 'fast-check';
import { afterAll } from 'vitest';
import { clearAway } from './end-of-file.ts';

// Property tests draw the same examples every time, so that a red test is a changed program and never bad luck.
// TAGLOOM_PROPERTY_SEED=<number> looks at other examples.
fc.configureGlobal({ seed: Number(process.env.TAGLOOM_PROPERTY_SEED ?? 20_260) });

afterAll(clearAway, 60_000);
