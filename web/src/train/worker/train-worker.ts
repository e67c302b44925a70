// The worker of the page: takes calls one by one, answers each.

import { CancelledError } from '../../../../src/errors.ts';
import { faultOf } from './fault.ts';
import type { Answer, Call } from './messages.ts';
import { TabWorkshop, type Workshop } from './workshop.ts';

const workshop: Workshop = new TabWorkshop();

addEventListener('message', async ({ data: { id, name, args } }: MessageEvent<Call>) => {
  const answer = (parts: object) => postMessage({ id, ...parts } as Answer);
  try {
    const call = workshop[name] as (...given: unknown[]) => unknown;
    answer({ value: await call.call(workshop, (happening: object) => answer({ happening }), ...args) });
  } catch (error) {
    answer(error instanceof CancelledError ? { isEnded: true } : { fault: faultOf(error) });
  }
});
