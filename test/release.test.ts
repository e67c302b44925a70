// What a release is checked for, and the README as a registry shows it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withAbsoluteLinks } from '../scripts/absolute-links.mjs';
import { whyNoRelease } from '../scripts/check-release.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const HOME = 'https://github.com/tagloom/tagloom';

describe('a release', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n## 0.1.0 — 2026-11-19\n\nNew:\n';

  it('needs a tag that is the version, and a dated section in the changelog', () => {
    expect(whyNoRelease('v0.1.0', '0.1.0', changelog)).toBeUndefined();
    expect(whyNoRelease('v0.1.1', '0.1.0', changelog)).toBe(
      'The tag is v0.1.1, expected v0.1.0, the version in package.json.',
    );
    expect(whyNoRelease('v0.2.0', '0.2.0', changelog)).toContain('has no section "## 0.2.0');
    expect(whyNoRelease('v0.1.0', '0.1.0', changelog.replace(' — 2026-11-19', ''))).toContain('expected "## 0.1.0 —');
    expect(whyNoRelease('v0.1.0', '0.1.0', changelog.replace('11-19', '13-19'))).toContain('expected "## 0.1.0 —');
  });

  it('of the version in package.json has its section', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(whyNoRelease(`v${version}`, version, read('CHANGELOG.md'))).toBeUndefined();
  });
});

describe('the README on the page of a registry', () => {
  const readme = withAbsoluteLinks(read('README.md'), HOME, 'v0.1.0');

  it('has no relative link and no relative picture', () => {
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
    expect(readme).toContain('](https://raw.githubusercontent.com/tagloom/tagloom/v0.1.0/docs/page.png)');
    expect(readme).toContain('](https://github.com/tagloom/tagloom/blob/v0.1.0/RESULTS.md)');
  });

  it('links to files that are there', () => {
    const paths = [...readme.matchAll(/\/tagloom\/tagloom\/(?:blob\/)?v0\.1\.0\/([^)#\s]+)/g)].map(([, path]) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(paths.length).toBeGreaterThan(5);
  });

  it('keeps its code as it is', () => {
    const text = '[a](b.md)\n\n```js\nx[0](y);\n```\n[c](https://d.example) [e](#f)\n';
    expect(withAbsoluteLinks(text, HOME, 'v1')).toBe(text.replace('b.md', `${HOME}/blob/v1/b.md`));
  });
});
