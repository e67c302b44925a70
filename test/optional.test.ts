import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { optional } from '../src/optional.ts';
import { tempFolder } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('optional', () => {
  it('names the packages to install, and passes on what else goes wrong', async () => {
    const missing = Object.assign(new Error("Cannot find package '@x/y' imported from /a/b.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(optional('the map', ['@x/y', 'z'], () => Promise.reject(missing))).rejects.toThrow(
      'got an installation without @x/y, expected the packages that the map needs. Run npm install @x/y z.',
    );
    const own = Object.assign(new Error("Cannot find module '/a/b.js' imported from /a/c.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    for (const error of [own, new Error('broken')]) {
      await expect(optional('the map', ['z'], () => Promise.reject(error))).rejects.toBe(error);
    }
    expect(await optional('the map', ['z'], async () => 1)).toBe(1);
  });

  it('tells what the service and its reviews need where nothing optional is installed', async () => {
    const folder = await tempFolder();
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    // neither pages nor what other tests make and remove there meanwhile
    const isCode = (path: string) => !/^(web|(bundle|examples|readme)-\d+)\b/.test(relative(join(ROOT, 'dist'), path));
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true, filter: isCode });
    const program = `
      const { createService } = await import('./dist/serving/http/service.js');
      const { ReviewStore } = await import('./dist/serving/reviews/review-store.js');
      const told = (work) => work.then(() => 'no error', ({ message }) => message);
      console.log(await told(createService({ model: 'none', reviews: 'none' })));
      console.log(await told(ReviewStore.open('reviews')));
      console.log(await told(ReviewStore.open('postgres://127.0.0.1/x')));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
    });
    const [service, embedded, server] = stdout.split('\n');
    expect(service).toMatch(/^got an installation without .* that the service needs\. Run npm install fastify @/);
    expect(embedded).toContain('Run npm install @electric-sql/pglite.');
    expect(server).toContain('Run npm install pg.');
  });
});
