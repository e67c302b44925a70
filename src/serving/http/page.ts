// The pages, from the folder they were built to. The curator's own paths all show the one document, and the page to train on lies
// below it; files with a hash in their names never change; no path leaves the folder, and none begins with a dot.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import { needs } from './access.ts';
import type { Api } from './api.ts';
import { COMPUTING_POLICY, WITH_PICTURES, withPicturesAndThreads } from './guard.ts';

const PATHS = ['/object/*', '/tag/*', '/suggest', '/map', '/reviews', '/vocabulary', '/about', '/people', '/log'];
const DATA = fileURLToPath(new URL('../../../data/npm', import.meta.url)); // which the packed page comes without
const HIDDEN = { hide: true } as object;
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
    app.get('/', { config: needs('open'), schema: HIDDEN }, async (_request, reply) => {
      reply.type('text/html; charset=utf-8');
      return NO_PAGE as never;
    });
    return;
  }
  await app.register((part: Api) => addCurator(openToAll(part), folder));
  const training = join(folder, 'train');
  if (existsSync(join(training, 'index.html')))
    await app.register((part: Api) => addTraining(openToAll(part), training));
}

/** The files of the page hold no data: who has no token yet needs them to enter one. */
function openToAll(part: Api): Api {
  part.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...needs('open') };
  });
  return part;
}

async function addCurator(part: Api, folder: string): Promise<void> {
  part.addHook('onRequest', async (_request, reply) => {
    reply.headers(WITH_PICTURES);
  });
  varyByEncoding(part);
  await part.register(fastifyStatic, filesOf(folder));
  for (const path of PATHS) {
    part.get(path, { schema: HIDDEN }, (_request, reply) => reply.sendFile('index.html') as never);
  }
}

/** The page to train on: its files, with a policy that lets WebAssembly in, and its document, told that it has a home here. */
async function addTraining(part: Api, folder: string): Promise<void> {
  part.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', COMPUTING_POLICY);
    reply.headers(withPicturesAndThreads(request.headers['user-agent']));
  });
  varyByEncoding(part);
  const own = { decorateReply: false, index: false } as const;
  await part.register(fastifyStatic, { ...filesOf(folder), ...own, prefix: '/train/' });
  if (!existsSync(join(folder, 'npm')) && existsSync(DATA))
    await part.register(fastifyStatic, { ...filesOf(DATA), ...own, prefix: '/train/npm/' });
  part.get('/train', { schema: HIDDEN }, (_request, reply) => reply.redirect('/train/') as never);
  part.get('/train/', { schema: HIDDEN }, async (_request, reply) => {
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    return html.replace('</head>', '<meta name="tagloom-service" content="/" /></head>') as never;
  });
}

/** The build puts compressed twins beside its files: which one is sent depends on the browser. */
function varyByEncoding(part: Api): void {
  part.addHook('onSend', async (_request, reply) => {
    const others = reply.getHeader('vary');
    reply.header('vary', others === undefined ? 'accept-encoding' : `${others}, accept-encoding`);
  });
}

function filesOf(root: string): FastifyStaticOptions {
  return {
    root,
    preCompressed: true,
    dotfiles: 'deny',
    cacheControl: false,
    schemaHide: true,
    setHeaders: (reply, path) => {
      reply.setHeader('cache-control', /[\\/]assets[\\/]/.test(path) ? FOREVER : 'no-cache');
    },
  };
}
