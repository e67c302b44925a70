import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addReviews } from '../../src/commands/reviews.ts';
import { addServe } from '../../src/commands/serve.ts';
import { Terminal } from '../../src/commands/terminal.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { checkerboard } from '../checkerboard.ts';
import { get } from '../serving/http/raw-request.ts';
import { copyEmptyStore } from '../serving/reviews/embedded.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';
import { shareStore } from './shared-store.ts';

const model = await train(checkerboard(), { model: 'popularity', threads: 1 });

const shared = shareStore();

async function modelFile(): Promise<string> {
  const path = join(await tempFolder(), 'model.tagloom');
  await saveModel(path, model);
  return path;
}

/** Serves until stopped; what it printed can be read meanwhile. */
function serve(...args: string[]) {
  const stop = new AbortController();
  let out = '';
  let err = '';
  let hangUp = () => {};
  const terminal = new Terminal({
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    signal: stop.signal,
    now: () => 0,
    onHangup: (listener) => (hangUp = listener),
  });
  const program = new Command('tagloom').exitOverride().configureOutput({ writeErr: () => {} });
  addServe(program, terminal);
  const running = program.parseAsync(['serve', ...args], { from: 'user' });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await Promise.race([running.then(() => Promise.reject(new Error('It ended.'))), tick()]);
  };
  const read = () => ({ out, err });
  return { running, read, until, hangUp: () => hangUp(), stop: () => stop.abort() };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('tagloom serve', () => {
  it('says where everything is, answers, reads the model anew on SIGHUP, and ends in peace', async () => {
    const path = await modelFile();
    await copyEmptyStore(`${path}.reviews`);
    const { running, read, until, hangUp, stop } = serve(path, '--port', '0');
    await until(() => read().out.includes('Ctrl-C'));
    const { out } = read();
    const [, url = ''] = /page +(http:\/\/127\.0\.0\.1:\d+)\n/.exec(out) ?? [];
    expect(out).toContain(`tagloom serves ${path}\n`);
    expect(out).toContain(`API       ${url}/openapi.json\n`);
    expect(out).toContain(`reviews   ${path}.reviews\n`);
    expect((await (await fetch(`${url}/v1/model`)).json()).name).toBe('popularity');

    const exporting = ['reviews', 'export', `${path}.reviews`];
    const elsewhere = new RegExp(
      `a folder that process \\d+ uses.*ask it: curl '${url}/v1/reviews/export\\?decision=accept'$`,
    );
    await expect(runCommand(addReviews, exporting)).rejects.toThrow(elsewhere);
    await expect(runCommand(addReviews, [...exporting, '--decision', 'reject', '-o', 'a b.tsv'])).rejects.toThrow(
      /decision=reject' -o 'a b.tsv'$/,
    );
    await expect(runCommand(addReviews, [...exporting, '--json'])).rejects.toThrow(
      /v1\/reviews\?decision=accept&limit=100'$/,
    );

    await saveModel(path, { ...model, name: 'another' });
    hangUp();
    await until(() => read().err.includes('was reloaded'));
    expect((await (await fetch(`${url}/v1/model`)).json()).name).toBe('another');
    stop();
    await running;
    await expect(fetch(url)).rejects.toThrow();
    expect(read().err).not.toContain('warning');
    expect(await readdir(`${path}.reviews`)).not.toContain('reviews.lock.service');
    expect((await runCommand(addReviews, exporting)).out).toBe('object\ttag\n');
  });

  it('--json prints one line, and warns of other machines where there is no token', async () => {
    const path = await modelFile();
    await shared.holding([]);
    const hosts = ['--allow-host', 'tags.example,tagloom', '--allow-host', 'other.example'];
    const { running, read, until, stop } = serve(path, '--port', '0', '--host', '0.0.0.0', '--json', ...hosts);
    await until(() => read().out.includes('\n'));
    const { out, err } = read();
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    const { url, ...rest } = JSON.parse(out);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(rest).toEqual({ api: `${url}/openapi.json`, model: path, reviews: `${path}.reviews` });
    expect(err).toMatch(/^warning: other machines may connect.*--token/);
    const port = new URL(url).port;
    const statusFor = async (host: string) => (await get(url, '/healthz', { host })).status;
    for (const host of ['tags.example', 'tagloom', 'other.example']) expect(await statusFor(host)).toBe(200);
    expect(await statusFor('evil.example')).toBe(421);
    await expect(
      runCommand(addServe, ['serve', await modelFile(), '--host', '0.0.0.0', '--port', port]),
    ).rejects.toThrow(
      /got port \d+ of 0\.0\.0\.0, which another program holds, expected a free port\. Choose another with --port/,
    );
    stop();
    await running;
  });

  it('refuses what it cannot serve', async () => {
    const path = await modelFile();
    await expect(runCommand(addServe, ['serve', `${path}.none`])).rejects.toThrow(
      /none: got no such file, expected a model file/,
    );
    expect(await readdir(dirname(path))).not.toContain('model.tagloom.none.reviews');
    await expect(runCommand(addServe, ['serve', path, '--token', ''])).rejects.toThrow(/got an empty token/);
    await expect(runCommand(addServe, ['serve', path, '--allow-host', 'https://tags.example'])).rejects.toThrow(
      /got the allowed host "https:\/\/tags.example", expected the name of a host/,
    );
    const gone = ['--reviews', 'postgres://curator:se%20cret@127.0.0.1:1/none'];
    const error = await runCommand(addServe, ['serve', path, ...gone]).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/got a store of reviews that does not answer/);
    expect(String(error)).not.toMatch(/cret/);
    for (const args of [
      ['--port', '70000'],
      ['--port', 'x'],
      ['--rate-limit', '0'],
      ['--cors', 'example.org/path'],
    ]) {
      await expect(runCommand(addServe, ['serve', path, ...args])).rejects.toThrow(/invalid/);
    }
  });
});
