// The worker of the page: takes calls one by one, answers each.

import { CancelledError, InputError } from '../../../../src/errors.ts';
import type { Answer, Call, Fault } from './messages.ts';
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

function faultOf(error: unknown): Fault {
  if (error instanceof InputError) {
    const { cure } = error.problem;
    return { text: error.message.slice(0, -cure.length).trim(), cure, isBug: false };
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { text, cure: 'Load the page again, or try with less data.', isBug: true };
}
