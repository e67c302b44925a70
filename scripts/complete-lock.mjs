// Completes package-lock.json after an upgrade: `node scripts/complete-lock.mjs`. npm lists only the optional binaries of the platform
// it runs on, and `npm ci` wants those of all platforms. This adds the missing ones, at the versions their packages name, and changes no
// entry that is there, except that a missing integrity is filled in once the registry has it.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PATH = fileURLToPath(new URL('../package-lock.json', import.meta.url));
/** What npm writes of a package into a lock file. */
const FIELDS = [
  'cpu',
  'dependencies',
  'engines',
  'funding',
  'libc',
  'license',
  'optionalDependencies',
  'os',
  'peerDependencies',
];

const lock = JSON.parse(readFileSync(PATH, 'utf8'));
const { packages } = lock;
for (const [path, entry] of Object.entries(packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries({ ...entry.dependencies, ...entry.optionalDependencies })) {
    if (!isListed(path, name)) add(name, version, entry.dev === true);
  }
}
for (const [path, entry] of Object.entries(packages)) if (path !== '' && !entry.integrity) fillIn(path, entry);
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`);

/** Whether a package finds another one: beside it, in it, or above. */
function isListed(path, name) {
  const folders = path.split('/node_modules/');
  return (
    folders.some((_, i) => packages[`${folders.slice(0, i + 1).join('/node_modules/')}/node_modules/${name}`]) ||
    packages[`node_modules/${name}`] !== undefined
  );
}

/** Adds the newest version of a range, and what it depends on. */
function add(name, range, dev) {
  const path = `node_modules/${name}`;
  const found = view(`${name}@${range}`);
  if (packages[path]) {
    if (found && !found.versions.includes(packages[path].version)) {
      throw new Error(
        `package-lock.json has ${name} ${packages[path].version}, expected ${range}. Run npm install first.`,
      );
    }
    return;
  }
  const facts = found ?? view(name) ?? platformOf(name);
  const version = found?.version ?? range;
  const integrity = found?.integrity;
  packages[path] = { version, ...(integrity && { integrity }), ...pick(facts), ...(dev && { dev }), optional: true };
  console.log(`added ${name} ${version}`);
  const needed = { ...packages[path].dependencies, ...packages[path].peerDependencies };
  for (const [other, wanted] of Object.entries(needed)) add(other, wanted, dev);
}

function fillIn(path, entry) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = view(`${name}@${entry.version}`)?.integrity;
  if (integrity) packages[path] = { version: entry.version, integrity, ...entry };
  else console.log(`${name} ${entry.version}: this registry does not have it, so it has no integrity in the lock file`);
}

/** What the registry says about a package, or nothing where it has none such. */
function view(spec) {
  const shell = process.platform === 'win32'; // npm is a script there
  const { stdout } = spawnSync('npm', ['view', spec, '--json', ...FIELDS, 'version', 'dist.integrity'], {
    encoding: 'utf8',
    shell,
  });
  const answer = JSON.parse(stdout || '{}');
  const all = [answer].flat().filter(({ version }) => version);
  const last = all.at(-1);
  return last && { ...last, integrity: last['dist.integrity'], versions: all.map(({ version }) => version) };
}

/** The platform of a binary that the registry knows in no version, from its name: cli-android-x64. */
function platformOf(name) {
  const [, os, cpu] = /([a-z]+32|[a-z]+)-([a-z0-9]+)(?:-[a-z]+)?$/.exec(name);
  return { os: [os], cpu: [cpu] };
}

function pick(facts) {
  const list = (value) => (Array.isArray(value) || typeof value === 'object' ? value : [value]);
  const fields = FIELDS.filter((field) => facts[field] !== undefined);
  return Object.fromEntries(
    fields.map((field) => [field, ['cpu', 'os', 'libc'].includes(field) ? list(facts[field]) : facts[field]]),
  );
}
