// Property tests draw the same examples every time, so that a red test is a changed program and never bad luck.
// TAGLOOM_PROPERTY_SEED=<number> looks at other examples.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TAGLOOM_PROPERTY_SEED ?? 20_260) });
