// Closing without dropping anyone: connections are ended as soon as their request is answered, since a client would keep them
// open for the next one; those that take too long are cut.

import type { Api } from './api.ts';

const LOOK_MS = 20; // between two looks for connections that have nothing more to do

export function addDrain(app: Api, drainMs: number): void {
  let looking: NodeJS.Timeout | undefined;
  let cutting: NodeJS.Timeout | undefined;
  app.addHook('preClose', (done) => {
    looking = setInterval(() => app.server.closeIdleConnections(), LOOK_MS);
    cutting = setTimeout(() => app.server.closeAllConnections(), drainMs);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(looking);
    clearTimeout(cutting);
    done();
  });
}
