// Refuses a release whose tag is not the version of the package, or whose section of CHANGELOG.md has no date:
// `node scripts/check-release.mjs v0.1.0`.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What keeps a tag from being released; undefined where nothing does. */
export function whyNoRelease(tag, version, changelog) {
  if (tag !== `v${version}`) return `The tag is ${tag}, expected v${version}, the version in package.json.`;
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version}`));
  if (heading === undefined) return `CHANGELOG.md has no section "## ${version} — YYYY-MM-DD". Add it.`;
  const [, date] = /^## \S+ — (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date))) {
    return `CHANGELOG.md has "${heading}", expected "## ${version} — YYYY-MM-DD".`;
  }
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  const reason = whyNoRelease(
    process.argv[2] ?? '(none)',
    JSON.parse(read('package.json')).version,
    read('CHANGELOG.md'),
  );
  if (reason !== undefined) {
    console.error(reason);
    process.exitCode = 1;
  }
}
