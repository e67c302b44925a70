import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeParts } from '../../../src/serving/parts/merge-parts.ts';
import { MAX_PARTS, type PartIdentity, partRange, partText } from '../../../src/serving/parts/part-file.ts';
import type { ObjectSuggestions } from '../../../src/serving/recommend/recommender.ts';
import { documentOf, type FormatName, SUGGESTION_FORMATS } from '../../../src/serving/recommend/suggestion-lines.ts';
import { name } from '../../arbitraries.ts';

let folder: string;
let target: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  target = join(folder, 'all');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

const ORIGIN = { model: 'a'.repeat(32), options: { limit: '5' } };

/** Writes all parts of what was found; their paths by number − 1. */
async function writeParts(
  found: readonly ObjectSuggestions[],
  of: number,
  changes: Partial<PartIdentity> & { readonly prefix?: string } = {},
): Promise<string[]> {
  const { prefix = 'part', ...changed } = changes;
  const paths: string[] = [];
  for (let part = 1; part <= of; part++) {
    const { first, end } = partRange({ part, of }, found.length);
    const identity = { ...ORIGIN, part, of, numObjects: found.length, format: 'tsv' as FormatName, ...changed };
    paths.push(join(folder, `${prefix}-${part}`));
    await writeFile(paths[part - 1], await textOf(partText(identity, each(found.slice(first, end)))));
  }
  return paths;
}

const suggestions = fc.array(
  fc.record({
    object: name,
    suggestions: fc.array(
      fc.record(
        {
          tag: name,
          score: fc.float({ noNaN: true, noDefaultInfinity: true }),
          confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        },
        { requiredKeys: ['tag', 'score'] },
      ),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 12 },
);
const format = fc.constantFrom<FormatName>('tsv', 'json');

describe('parts of all objects', () => {
  it('are disjoint, contiguous and together everything, and differ by one object at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: MAX_PARTS }), (size, of) => {
        const numbers = [
          ...new Set([1, 2, 3, Math.ceil(of / 2), of - 1, of].filter((part) => part >= 1 && part <= of)),
        ];
        for (const part of numbers) {
          const { first, end } = partRange({ part, of }, size);
          expect(first).toBe(part === 1 ? 0 : partRange({ part: part - 1, of }, size).end);
          expect([Math.floor(size / of), Math.ceil(size / of)]).toContain(end - first);
        }
        expect(partRange({ part: of, of }, size).end).toBe(size);
      }),
    );
  });

  it('merge to the whole, byte for byte, whatever their number, format and order', async () => {
    await fc.assert(
      fc.asyncProperty(
        suggestions,
        fc.integer({ min: 1, max: 15 }),
        format,
        fc.boolean(),
        async (found, of, as, turned) => {
          const paths = await writeParts(found, of, { format: as });
          const merged = await mergeParts(turned ? paths.reverse() : paths, target);
          expect(merged).toEqual({ numParts: of, numObjects: found.length });
          expect(await readFile(target, 'utf8')).toBe(await textOf(documentOf(SUGGESTION_FORMATS[as], each(found))));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('parts that do not make a whole', () => {
  const found: ObjectSuggestions[] = Array.from({ length: 9 }, (_, i) => ({
    object: `# end of part ${i}`, // a name may be anything
    suggestions: [{ tag: 'é', score: 0.5 }],
  }));
  let paths: string[];

  const refused = async (given: readonly string[], message: string | RegExp) => {
    await rm(target, { force: true });
    await expect(mergeParts(given, target)).rejects.toThrow(message);
    expect((await readdir(folder)).filter((one) => one.startsWith('all'))).toEqual([]);
  };

  beforeAll(async () => {
    paths = await writeParts(found, 4, { prefix: 'good' });
  });

  it('are named where they are missing', async () => {
    await refused(
      [paths[0], paths[3]],
      'got 2 of 4 parts, without 2/4, 3/4, expected all of them. Write what is missing',
    );
    const many = await writeParts(found, 30, { prefix: 'many' });
    await refused(many.slice(0, 1), /without 2\/30, .*11\/30 and 19 more/);
  });

  it('are named where one is there twice, also under two names', async () => {
    await refused([...paths, paths[1]], `good-2: got part 2/4 a second time, expected each part once.`);
    const copy = join(folder, 'copy');
    await writeFile(copy, await readFile(paths[1]));
    await refused([...paths, copy], `Name only one of ${paths[1]} and ${copy}.`);
  });

  it('are named where one is of another model, number of parts, format or option, also if it comes first', async () => {
    const foreign: [Partial<PartIdentity>, number, string][] = [
      [{ model: 'b'.repeat(32) }, 4, `got a part of another model (bbbbbbbb), expected of the model aaaaaaaa, as in`],
      [{ numObjects: 8 }, 4, 'got a part of another model'],
      [{}, 5, 'got one of 5 parts, expected one of 4, as in'],
      [{ format: 'json' }, 4, 'got a part in json, expected tsv, as in'],
      [{ options: { limit: '6' } }, 4, 'got --limit 6, expected --limit 5, as in'],
      [{ options: {} }, 4, 'got no --limit, expected --limit 5, as in'],
      [{ options: { limit: '5', novelty: '1' } }, 4, 'got --novelty 1, expected no --novelty, as in'],
    ];
    for (const [changes, of, message] of foreign) {
      const [first] = await writeParts(found, of, { ...changes, prefix: 'foreign' });
      await refused([first, ...paths.slice(1)], `${first}: ${message} ${message.endsWith('in') ? paths[1] : '('}`);
      await refused([...paths, first], `${first}: ${message}`);
    }
  });

  it('are named where one is cut off, at whatever byte', async () => {
    const whole = await readFile(paths[2]);
    const cut = join(folder, 'cut');
    for (let size = 0; size < whole.length; size++) {
      await writeFile(cut, whole.subarray(0, size));
      const isPart = size > whole.indexOf('\n');
      const message = isPart
        ? `${cut}: got a part that is cut off, expected a whole one. Copy it again, or write it again with --part 3/4.`
        : `${cut}: got a file that is not a part, expected one that "tagloom suggest --all --part" wrote.`;
      await refused([paths[0], paths[1], cut, paths[3]], message);
    }
  });

  it('are named where a byte of one has changed, whichever', async () => {
    const whole = await readFile(paths[2]);
    const changed = join(folder, 'changed');
    for (let at = 0; at < whole.length; at++) {
      const copy = Buffer.from(whole);
      copy[at] ^= 1;
      await writeFile(changed, copy);
      await refused([paths[0], paths[1], changed, paths[3]], 'changed: got ');
    }
  });

  it('are named where a line in the middle is lost', async () => {
    const lines = (await readFile(paths[2], 'utf8')).split('\n');
    const shorter = join(folder, 'shorter');
    await writeFile(shorter, lines.filter((_, i) => i !== 2).join('\n'));
    await refused([paths[0], paths[1], shorter, paths[3]], 'shorter: got a part that is cut off');
  });

  it('are refused where a file is something else, of another version or not there', async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'object\ttag\trank\tscore\tconfidence\n');
    await refused([...paths, other], `${other}: got a file that is not a part`);
    await writeFile(other, `# tagloom part {"version":2}\n`);
    await refused([...paths, other], `${other}: got a part of another version of tagloom`);
    await refused([...paths, join(folder, 'nothing')], /nothing: got no such file, expected a part of suggestions/);
    await refused([...paths, folder], /got a folder, expected a part of suggestions/);
  });
});
