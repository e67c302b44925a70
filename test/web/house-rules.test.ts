// The house rules of src/ (test/architecture.test.ts) hold for the page, too; and nothing of it may need what the service's
// security policy forbids.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const files = readdirSync(join(WEB, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(WEB, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();

describe('house rules of the page', () => {
  it.each(files)('%s keeps them', (file) => {
    const text = readFileSync(join(WEB, file), 'utf8');
    expect(file).toMatch(/^([a-z0-9-]+\/)*[a-z0-9-]+\.(ts|tsx|css)$/); // kebab-case
    expect(file).not.toMatch(/(^|\/)(index|utils?|helpers?|common|types|constants)\./);
    expect(text.split('\n').length, 'lines').toBeLessThanOrEqual(400);
    expect(text, 'a file opens by saying what it holds').toMatch(/^(\/\/ |\/\* )/);
    expect(text).not.toMatch(/console\.|Math\.random|https?:\/\/(?!www\.w3\.org)/);
    expect(text, 'names are text, never HTML').not.toMatch(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/);
    expect(text).not.toMatch(/\beval\(|new Function|style="/);
  });

  it.each(['index.html', 'train/index.html'])('has no script or style inside its document %s', (document) => {
    const html = readFileSync(join(WEB, document), 'utf8');
    expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  it('takes only types from the library, but for the worker that trains', () => {
    const imports = files
      .filter((file) => !file.startsWith('src/train/worker/'))
      .flatMap((file) =>
        [...readFileSync(join(WEB, file), 'utf8').matchAll(/^.*from '(?:\.\.\/)+src\/.*$/gm)].map(([line]) => line),
      );
    expect(imports.length).toBeGreaterThan(0);
    for (const line of imports) expect(line).toMatch(/^import type /);
  });
});
