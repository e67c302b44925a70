// What is counted of `scale.kind` believes to be `scale.by` times as large as it is: so a few reach the limits of billions.

import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CsrBuilder, selectedRows, TripleList } from '../src/csr.ts';
import { featuresFrom } from '../src/data/features.ts';
import { graphFrom } from '../src/data/knowledge-graph.ts';
import { PairList, Relation } from '../src/data/relation.ts';
import { joined } from '../src/data/table/source.ts';
import { TextStore } from '../src/data/text-store.ts';
import { NameTable, Vocabulary } from '../src/data/vocabulary.ts';
import { InputError } from '../src/errors.ts';
import { BestTags } from '../src/models/forms/sparse-scores.ts';
import { modelBytes } from '../src/models/model-file.ts';
import { train } from '../src/pipeline.ts';
import { sha256 } from '../src/platform/node.ts';
import { OpenSuggestions } from '../src/serving/curation/open-suggestions.ts';
import { checkedSize, grownSize } from '../src/size-limits.ts';

const scale = vi.hoisted(() => ({ kind: '', by: 1 }));
const hashed = vi.hoisted(() => [] as number[]);

vi.mock('../src/size-limits.ts', async (original) => {
  const real = await original<typeof import('../src/size-limits.ts')>();
  const scaled: typeof real.checkedSize = (kind, size, what) => {
    const by = kind === scale.kind ? scale.by : 1;
    return real.checkedSize(kind, size * by, what) / by;
  };
  return { ...real, checkedSize: scaled };
});

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  const recording = (name: string) => {
    const hash = real.createHash(name);
    const update = hash.update.bind(hash);
    hash.update = ((part: Uint8Array | string) => {
      hashed.push(part.length);
      return update(part);
    }) as typeof hash.update;
    return hash;
  };
  return { ...real, createHash: recording };
});

afterEach(() => {
  scale.kind = '';
});

/** Whether work is refused at a scale, and done at half of it. */
function refusedAt(kind: string, by: number, message: string, work: () => unknown): void {
  scale.kind = kind;
  scale.by = by / 2;
  expect(work).not.toThrow();
  scale.by = by;
  expect(work).toThrow(InputError);
  expect(work).toThrow(message);
}

describe('limits', () => {
  it.each([
    ['pairs', 2 ** 31 - 1, '2,147,483,648 things, expected 2,147,483,647 at most. Use --engine duckdb'],
    ['rows', 2 ** 31 - 1, '2,147,483,648 things, expected 2,147,483,647 at most. Train on a part'],
    ['entries', 2 ** 31 - 1, '2,147,483,648 things, expected 2,147,483,647 at most. Train on fewer objects'],
    ['names', 2 ** 28, '268,435,457 things, expected 268,435,456 at most. Leave out users or objects'],
    ['nameBytes', 2 ** 32 - 1, '4,294,967,296 things, expected 4,294,967,295 at most. Use shorter names'],
    ['textBytes', 2 ** 32 - 1, '4,294,967,296 things, expected 4,294,967,295 at most. Shorten the texts'],
    ['fileBytes', 2 ** 32 - 1, '4,294,967,296 things, expected 4,294,967,295 at most. Split the file'],
    ['modelBytes', 2 ** 32 - 1, '4,294,967,296 things, expected 4,294,967,295 at most. Write the model to a file'],
  ] as const)('of %s are %d, with a cure beyond', (kind, most, message) => {
    expect(checkedSize(kind, most, 'things')).toBe(most);
    expect(() => checkedSize(kind, most + 1, 'things')).toThrow(`got ${message}`);
  });

  it('bound what arrays grow to, so that the last doubling is not refused', () => {
    expect(grownSize('nameBytes', 1000, 1001)).toBe(2000);
    expect(grownSize('nameBytes', 1000, 5000)).toBe(5000);
    expect(grownSize('nameBytes', 3 * 2 ** 30, 3 * 2 ** 30 + 1)).toBe(2 ** 32 - 1);
  });
});

describe('sparse rows beyond what offsets number are refused', () => {
  const built = (numEntries: number) => {
    const rows = new CsrBuilder(2);
    for (let e = 0; e < numEntries; e++) rows.add(1, 1);
    rows.endRow();
    return rows;
  };

  it('as they are built, mirrored and selected', () => {
    const message = 'got 2,147,483,648 entries of a sparse matrix';
    refusedAt('entries', 2 ** 30, message, () => built(2).finish());
    const mirrored = built(1);
    mirrored.endRow();
    refusedAt('entries', 2 ** 30, message, () => mirrored.finishMirrored());
    const rows = built(1).finish();
    refusedAt('entries', 2 ** 30, message, () => selectedRows(rows, Int32Array.of(0, 0))); // a row twice
  });

  it('as triples are added', () => {
    const added = () => {
      const triples = new TripleList();
      for (let i = 0; i <= 1 << 16; i++) triples.add(0, i, 1);
      return triples.toCsr(1);
    };
    refusedAt('entries', 2 ** 15, 'entries of a sparse matrix', added);
    scale.kind = '';
    expect(added().columns).toHaveLength((1 << 16) + 1);
  });

  it('as features, best scores and open suggestions', () => {
    const graph = graphFrom({
      tagged: [
        ['a', 'x'],
        ['b', 'y'],
      ],
    }); // prettier-ignore
    const rows = [
      ['a', 'f', 1],
      ['b', 'f', 1],
    ] as const; // prettier-ignore
    refusedAt('entries', 2 ** 30, 'got 2,147,483,648 features of objects', () => featuresFrom(graph.objects, rows));
    refusedAt('entries', 2 ** 30, 'got 2,147,483,648 suggestions to review', () => new OpenSuggestions(graph, true, 1));
    const best = new BestTags(graph, 1);
    best.add(0, 2, Float32Array.of(1, 1, 1, 1)); // to each object the tag that it lacks
    refusedAt('entries', 2 ** 30, 'got 2,147,483,648 scores to keep', () => best.finish());
  });
});

describe('pairs beyond what offsets number are refused', () => {
  const ids = Int32Array.of(0, 1);
  const listed = () => {
    const pairs = new PairList();
    pairs.add(0, 0);
    pairs.add(0, 1);
    return pairs;
  };

  it('in a relation, and when a list becomes one', () => {
    refusedAt('pairs', 2 ** 30, 'got 2,147,483,648 pairs', () => new Relation(2, 2, ids, ids));
    refusedAt('pairs', 2 ** 30, 'got 2,147,483,648 pairs', () => listed().toRelation(ids, ids));
  });

  it('while they are read', () => {
    refusedAt('pairs', 2 ** 31, 'got 2,147,483,648 pairs', () => new PairList().add(0, 0));
  });
});

describe('names and texts beyond what offsets number are refused', () => {
  it('by their bytes', () => {
    refusedAt('nameBytes', 2 ** 31, 'got 4,294,967,296 bytes of names', () => NameTable.from(['a', 'b']));
    refusedAt('nameBytes', 2 ** 31, 'got 4,294,967,296 bytes of distinct names', () =>
      Vocabulary.from(['a', 'b', 'a']),
    );
  });

  it('by their number', () => {
    const names = Array.from({ length: 300 }, (_, i) => `${i}`);
    // room for 128 at first
    refusedAt('names', 2 ** 21, 'distinct names, expected 268,435,456 at most', () =>
      Vocabulary.from(names.slice(0, 200)),
    );
    scale.kind = '';
    const sorted = Vocabulary.from(names).names;
    refusedAt('names', 2 ** 20, 'got 314,572,800 distinct names', () => Vocabulary.fromSorted(sorted));
  });

  it('as a column of text', () => {
    const stored = () => {
      const texts = new TextStore();
      texts.put(0, 'é', 'first');
      return texts.finish(Int32Array.of(0));
    };
    refusedAt('textBytes', 2 ** 31, 'got 4,294,967,296 bytes of text in one column', stored);
  });
});

describe('bytes in one array', () => {
  it('are refused beyond what an array holds', async () => {
    refusedAt('fileBytes', 2 ** 31, 'got 4,294,967,296 bytes in one piece', () =>
      joined([Uint8Array.of(1), Uint8Array.of(2)]),
    );
    const model = await train(graphFrom({ tagged: [['a', 'x']] }), { model: 'popularity', threads: 1 });
    [scale.kind, scale.by] = ['modelBytes', 2 ** 24];
    expect(() => modelBytes(model)).toThrow(
      /bytes of a model in one array, .* Write the model to a file with saveModel/,
    );
  });

  it('are hashed in pieces that Node can take, with the same result', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
    const whole = createHash('sha256').update(bytes).digest('hex');
    hashed.length = 0;
    expect(sha256(32).update(new Uint16Array(bytes.buffer)).hex()).toBe(whole);
    expect(hashed).toEqual([32, 32, 32, 4]);
  });
});
