// The image without an engine for images: the files of the Dockerfile's last stage, put together as it says, run as a user who may
// write to the data folder and to nothing else.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findTool, output, ROOT } from '../deploy/tools.ts';
import { modelFile } from '../serving/http/service-under-test.ts';
import { tempFolder } from '../temp-folder.ts';

const USER = 65_534; // nobody
const setpriv = process.getuid?.() === 0 ? findTool('setpriv') : undefined;
if (!setpriv)
  process.stderr.write('the test of the image is skipped: it needs root and setpriv, to become somebody else\n');

const AS_NOBODY = [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all'];

/** What the last stage copies: paths below the build's folder, and where they go. */
function copiedFiles(): [string, string][] {
  const [, last] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .*\n(?![\s\S]*^FROM )/m);
  const copies = [...last.matchAll(/^COPY --from=build (.*) (\S+)$/gm)];
  return copies.flatMap(([, from, to]) =>
    from.split(' ').map((path): [string, string] => {
      const source = path.replace(/^\/tagloom\//, '');
      return [source, to === './' ? source : to];
    }),
  );
}

/** The folder of the program, as the build leaves it: what developers need is not in it. */
async function applicationFolder(): Promise<string> {
  const folder = await tempFolder();
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(ROOT, name), join(folder, name));
  const installing = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', installing, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  for (const [from, to] of copiedFiles()) {
    if (from !== 'node_modules') cpSync(join(ROOT, from), join(folder, to), { recursive: true });
  }
  chmodSync(folder, 0o755);
  return folder;
}

it.skipIf(!setpriv)(
  'the image serves, keeps reviews, holds the demo data, and writes to its data folder alone',
  async () => {
    expect(copiedFiles().map(([from]) => from)).toEqual(['package.json', 'LICENSE', 'node_modules', 'dist', 'data']);
    const application = await applicationFolder();
    const data = await tempFolder();
    chmodSync(data, 0o700);
    cpSync(await modelFile(), join(data, 'model.tagloom'));
    for (const path of [data, join(data, 'model.tagloom')]) chownSync(path, USER, USER);
    const inImage = (...args: string[]) => [...AS_NOBODY, process.execPath, ...args];
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', HOME: '/nonexistent', TMPDIR: '/nonexistent' };
    const options = { cwd: application, env };

    expect(() => output(setpriv ?? '', ['--reuid=65534', '--clear-groups', 'touch', join(application, 'x')])).toThrow();
    const cli = join(application, 'dist/cli.js');
    const stats = JSON.parse(
      output(setpriv ?? '', inImage(cli, 'stats', join(application, 'data/npm'), '--json'), options),
    );
    expect(stats).toMatchObject({ numObjects: 9072 });

    const serving = inImage(cli, 'serve', join(data, 'model.tagloom'), '--port', '0', '--json', '--log');
    const start = async () => {
      const child = spawn(setpriv ?? '', serving, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const [line] = await once(child.stdout, 'data');
      const stop = async () => {
        child.kill('SIGTERM');
        expect((await once(child, 'exit'))[0]).toBe(0);
      };
      return { url: JSON.parse(String(line)).url as string, stop };
    };
    const first = await start();
    expect((await fetch(`${first.url}/`)).status).toBe(200);
    expect((await fetch(`${first.url}/train/`)).status).toBe(200);
    const body = JSON.stringify({ object: 'o030', tag: 't001', decision: 'reject' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${first.url}/v1/reviews`, { method: 'POST', headers, body })).status).toBe(201);
    await first.stop();
    const second = await start();
    const { reviews } = await (await fetch(`${second.url}/v1/reviews`)).json();
    expect(reviews).toMatchObject([{ object: 'o030', tag: 't001', decision: 'reject' }]);
    await second.stop();
  },
);
