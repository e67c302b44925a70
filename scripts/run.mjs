// The commands behind `npm run demo`, `npm test` and their kin. Needs nothing but Node and npm: it installs what
// package-lock.json lists and compiles src/, each only if something changed since the last time, and says so.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [task, ...args] = process.argv.slice(2);

process.on('SIGINT', () => {}); // Ctrl-C is for the command: this waits for how it ends
const PROGRAM = { TAGLOOM_PROGRAM: 'npm run tagloom --' };

const SHA256_LENGTH = 64; // in hexadecimal

const GPU_TESTS = ['test/engine/webgpu', 'test/training/on-gpu.test.ts'];

const TASKS = {
  build,
  demo: () => [build(), run('demo', 'node', ['dist/cli.js', 'demo', ...args], PROGRAM)],
  tagloom: () => [build(), run('', 'node', ['dist/cli.js', ...args], PROGRAM)],
  bench: () => [build(), run('bench', 'node', ['research/bench.mjs', ...args])],
  'bench:reading': () => [build(), run('reading bench', 'node', ['bench/reading.mjs', ...args])],
  'bench:growth': () => [build(), run('growth bench', 'node', ['bench/growth.mjs', ...args])],
  'bench:large': () => [build(), run('large bench', 'node', ['bench/large.mjs', ...args])],
  'bench:texts': () => [build(), run('texts bench', 'node', ['bench/texts.mjs', ...args])],
  'bench:scale': () => [build(), run('scale bench', 'node', ['bench/scale.mjs', ...args])],
  'bench:service': () => [build(), run('service bench', 'node', ['bench/service.mjs', ...args])],
  'bench:page': () => [build(), run('page bench', 'node', ['bench/page.mjs', ...args])],
  // the documentation as a folder of plain files; an argument is where it goes
  docs: () => [build(), run('building docs/ to dist-docs/', 'node', ['scripts/docs/build.mjs', ...args])],
  // its spelling, its links, and every page in a browser
  'docs:check': () => [
    build(),
    run('spelling', 'node', [
      'node_modules/cspell/bin.mjs',
      '--no-progress',
      '--no-summary',
      'README.md',
      'RESULTS.md',
      'docs/**/*.md',
    ]),
    run('pages', 'node', ['node_modules/vitest/vitest.mjs', 'run', 'test/slow/docs-site.test.ts'], {
      TAGLOOM_SLOW: '1',
    }),
  ],
  reproduce: () => [build(), run('the evaluation of the paper', 'node', ['research/reproduce.mjs', ...args])],
  test: () => [build(), run('tests', 'node', ['node_modules/vitest/vitest.mjs', 'run', ...args])],
  // the GPU backend on whatever adapter there is: on a machine without a GPU, the software one that comes with Chromium
  'test:gpu': () => [
    build(),
    run('tests on a GPU', 'node', ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=120000', ...GPU_TESTS], {
      TAGLOOM_WEBGPU: webgpuFolder(),
    }),
  ],
  // every export in strict programs, by the oldest and the newest TypeScript
  'test:types': () => [
    build(),
    run('tests of types', 'node', ['node_modules/vitest/vitest.mjs', 'run', 'test/slow/public-types.test.ts'], {
      TAGLOOM_SLOW: '1',
    }),
  ],
  // on each Spark below node_modules/.spark (see CONTRIBUTING.md), or on the one of SPARK_HOME
  'test:spark': () => {
    build();
    const homes = sparkHomes();
    if (homes.length === 0) {
      say('TESTS ON SPARK ARE SKIPPED: there is none. CONTRIBUTING.md says how to install it.');
      return;
    }
    const tests = ['node_modules/vitest/vitest.mjs', 'run', 'test/slow/spark.test.ts', ...args];
    run('tests on Spark', 'node', tests, { TAGLOOM_SLOW: '1', TAGLOOM_SPARK: homes.join(delimiter) });
  },
  // an argument that is a folder is where the published data sets are
  'test:slow': () => [
    build(),
    run('slow tests', 'node', ['node_modules/vitest/vitest.mjs', 'run'], {
      TAGLOOM_SLOW: '1',
      TAGLOOM_DATA: args[0] ? resolve(args[0]) : '',
    }),
  ],
};

if (!Object.hasOwn(TASKS, task ?? '')) {
  say(`got the task ${task ?? '(none)'}, expected one of ${Object.keys(TASKS).join(', ')}`);
  process.exit(1);
}
TASKS[task]();

function install() {
  const wanted = hashOf(['package-lock.json']) + process.version.split('.')[0];
  const stamp = readStamp('node_modules/.tagloom-stamp');
  if (stamp === wanted) return;
  const sameNode = stamp === '' || stamp.slice(SHA256_LENGTH) === wanted.slice(SHA256_LENGTH);
  if (!(sameNode && isInstalled())) {
    say('installing dependencies');
    keepingTools(() => run('', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']));
  }
  writeFileSync('node_modules/.tagloom-stamp', wanted);
}

/** Whether node_modules holds just what package-lock.json lists, by npm's own record of what it installed; binaries of other platforms may lack. */
function isInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(record)) return false;
  const { '': own, ...listed } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = Object.keys({ ...own.dependencies, ...own.optionalDependencies, ...own.devDependencies });
  return (
    wanted.every((name) => installed[`node_modules/${name}`]) &&
    Object.entries(listed).every(([path, { optional }]) => optional || installed[path]) &&
    Object.entries(installed).every(([path, { version }]) => listed[path]?.version === version)
  );
}

/** `npm ci` empties node_modules; Spark and webgpu, which were installed there by hand or apart, are put back. */
function keepingTools(work) {
  const aside = '.tools.partial-install';
  const names = ['.spark', '.webgpu'];
  const move = (from, to) => {
    for (const name of names) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
  };
  const putBack = () => {
    if (!existsSync(aside)) return;
    mkdirSync('node_modules', { recursive: true });
    move(aside, 'node_modules');
    rmSync(aside, { recursive: true });
  };
  putBack(); // what a killed run left
  mkdirSync(aside);
  move('node_modules', aside);
  process.once('exit', putBack); // run() ends the process where npm fails
  work();
  process.off('exit', putBack);
  putBack();
}

function build() {
  install();
  step(
    'compiling assembly/ to WebAssembly',
    'src/engine/wasm/wasm-binary.ts.stamp',
    ['scripts/build-kernels.mjs', 'package-lock.json', ...filesBelow('assembly')],
    () => {
      run('', 'node', ['scripts/build-kernels.mjs']);
    },
  );
  const programs = ['scripts/bundle-libraries.mjs', 'scripts/trim-declarations.mjs'];
  const configuration = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', ...programs];
  step('compiling src/ to dist/', 'dist/.stamp', [...configuration, ...filesBelow('src')], () => {
    rmSync('dist', { recursive: true, force: true });
    run('', 'node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
    run('', 'node', ['scripts/bundle-libraries.mjs']);
    run('', 'node', ['scripts/trim-declarations.mjs']);
  });
  // it takes no code from src/, only types
  step('building web/ to dist/web/', 'dist/web/.stamp', ['package-lock.json', ...filesBelow('web')], () => {
    run('', 'node', ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']);
  });
  // this one holds src/ as a whole; the build before it clears the folder around it
  const training = ['package-lock.json', ...filesBelow('web'), ...filesBelow('src'), ...filesBelow('data')];
  step('building web/train/ to dist/web/train/', 'dist/web/train/.stamp', training, () => {
    run('', 'node', ['node_modules/vite/bin/vite.js', 'build', 'web/train', '--logLevel', 'warn']);
  });
}

/** The optional package `webgpu`: the one of the project, or one installed apart, so that `npm test` stays as it is. */
function webgpuFolder() {
  if (existsSync('node_modules/webgpu')) return resolve('node_modules/webgpu');
  const [apart, version] = ['node_modules/.webgpu', JSON.parse(readFileSync('package.json')).peerDependencies.webgpu];
  const folder = resolve(apart, 'node_modules/webgpu');
  if (existsSync(folder)) return folder;
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  say('installing webgpu');
  const { status } = launch('npm', ['install', '--prefix', apart, ...options, `webgpu@${version}`]);
  if (status !== 0) say('webgpu could not be installed: tests that need it are skipped');
  return folder;
}

/** Folders of Spark: those of virtual environments into which pyspark was installed, or the one of the environment. */
function sparkHomes() {
  if (process.env.SPARK_HOME) return [process.env.SPARK_HOME];
  const folders = existsSync('node_modules/.spark') ? readdirSync('node_modules/.spark') : [];
  return folders.flatMap((name) => {
    const lib = join('node_modules/.spark', name, 'lib');
    const pythons = existsSync(lib) ? readdirSync(lib) : [];
    return pythons.map((python) => resolve(lib, python, 'site-packages/pyspark')).filter((home) => existsSync(home));
  });
}

/** Does the work unless its inputs are as they were when the stamp was written. */
function step(what, stamp, inputs, work) {
  const wanted = hashOf(inputs);
  if (readStamp(stamp) === wanted) return;
  say(what);
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function run(what, command, parameters, extraEnv = {}) {
  if (what !== '') say(what);
  const { status, signal, error } = launch(command, parameters, extraEnv);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

function launch(command, parameters, extraEnv = {}) {
  const shell = command === 'npm' && process.platform === 'win32'; // npm is a script there
  return spawnSync(command, parameters, { stdio: 'inherit', shell, env: { ...process.env, ...extraEnv } });
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.endsWith('.stamp'))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function say(text) {
  process.stderr.write(`tagloom: ${text}\n`);
}
