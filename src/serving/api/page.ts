// The page, from the folder it was built to. Its own paths all show the one document; files with a hash in their names never
// change; no path leaves the folder, and none begins with a dot.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Api } from './api.ts';

const PATHS = ['/object/*', '/tag/*', '/map', '/reviews', '/about'];
const FOREVER = 'public, max-age=31536000, immutable';

const NO_PAGE = `<!doctype html>
<html lang="en">
<title>tagloom</title>
<h1>tagloom is running</h1>
<p>Its page has not been built: run <code>npm run build</code> and start it again.</p>
<p>The API is there: <a href="/openapi.json">what can be asked</a>, <a href="/v1/model">the model</a>.</p>
</html>
`;

export async function addPage(app: Api, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type('text/html; charset=utf-8');
      return NO_PAGE as never;
    });
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    dotfiles: 'deny',
    cacheControl: false,
    schemaHide: true,
    setHeaders: (reply, path) => {
      reply.setHeader('cache-control', /[\\/]assets[\\/]/.test(path) ? FOREVER : 'no-cache');
    },
  });
  for (const path of PATHS) {
    app.get(path, { schema: { hide: true } as object }, (_request, reply) => reply.sendFile('index.html') as never);
  }
}
