import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addApply } from '../../src/commands/apply.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { type NewReview, ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { MemoryChanges } from '../serving/vocabulary/memory-changes.ts';
import { withoutModes } from '../systems.ts';
import { runCommand } from './run-command.ts';

const THINGS = ['tent', 'lamp', 'boot', 'rope'];
const objects = Array.from({ length: 24 }, (_, i) => `p${String(i).padStart(2, '0')}`);
const tagsOf = (i: number) => [`t${i % 4}`, `t${(i + 2) % 4}`, ...(i % 3 === 0 ? [] : [`for ${THINGS[i % 4]}`])];
const graph = graphFrom({
  interact: [],
  tagged: objects.flatMap((object, i) => tagsOf(i).map((tag) => [object, tag] as const)),
  objects: objects.map((object, i) => [object, `${THINGS[i % 4]} number ${i}`] as const),
});
let folder: string;
let model: string;
let csv: string;
const text = [
  'id,title,tags,price',
  ...objects.map((object, i) => `${object},"${THINGS[i % 4]} number ${i}",${tagsOf(i).join(';')},"1,${i}"`),
  'n1,tent,,0',
  'n2,,,0',
  '',
].join('\r\n');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  model = join(folder, 'shop.tagloom');
  await saveModel(model, await train(graph, { model: 'loom', threads: 1 }));
  await saveModel(join(folder, 'popularity'), await train(graph, { model: 'popularity', threads: 1 }));
});

beforeEach(async () => {
  csv = join(folder, 'products.csv');
  await writeFile(csv, text);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const apply = (...args: string[]) => runCommand(addApply, ['apply', model, ...args, '--threads', '1']);
const ANY = ['--min-confidence', '0', '--limit', '2'];

async function suggested(...args: string[]): Promise<string[]> {
  const { out } = await runCommand(addSuggest, ['suggest', model, ...args, '--limit', '2', '--json', '--threads', '1']);
  return (JSON.parse(out) as { suggestions: { tag: string }[] }[])[0].suggestions.map(({ tag }) => tag);
}

/** A store of these reviews, wherever a folder is opened; to open a real one takes seconds. */
function holding(reviews: readonly NewReview[]): string {
  const store = {
    async *all(wanted: string) {
      yield* reviews.filter(({ decision }) => decision === wanted);
    },
    close: async () => {},
    vocabulary: MemoryChanges.store(),
  };
  vi.spyOn(ReviewStore, 'open').mockResolvedValue(store as unknown as ReviewStore);
  onTestFinished(() => void vi.restoreAllMocks());
  return folder;
}

describe('tagloom apply', () => {
  it('adds to each row what the model suggests to it, and changes nothing else', async () => {
    const out = join(folder, 'out.csv');
    const { out: said, err } = await apply(csv, ...ANY, '-o', out);
    const lines = text.split('\r\n');
    for (const [i, object] of objects.entries()) {
      const tags = tagsOf(i).join(';');
      lines[i + 1] = lines[i + 1].replace(tags, [tags, ...(await suggested(object))].join(';'));
    }
    lines[25] = `n1,tent,${(await suggested('--title', 'tent')).join(';')},0`;
    expect(await readFile(out, 'utf8')).toBe(lines.join('\r\n'));
    expect(said).toMatch(/^objects +26, 2 not in the model\nadded +\d+ tags to 25 objects\nwritten +\S+out.csv\n$/);
    expect(err).toBe(`${csv}: CSV with commas, tags tags (separated by ;), id id, title title\n`);
    expect(await readFile(csv, 'utf8')).toBe(text);
    await rm(out);
  });

  it('replaces the file itself, keeps its mode, and adds nothing the second time', async () => {
    const mode = withoutModes ? 0o666 : 0o640;
    await chmod(csv, mode);
    const first = JSON.parse((await apply(csv, '--min-confidence', '0', '-o', csv, '--json')).out);
    expect(first).toMatchObject({ objects: 26, gained: 25, known: 24, new: 2, leftOut: 0, output: csv });
    const once = await readFile(csv, 'utf8');
    expect((await stat(csv)).mode & 0o777).toBe(mode);
    expect(once.split('\r\n').map((line) => line.replace(/,[^,"]*,(?=[^,]*$|"[^"]*"$)/, ''))).toEqual(
      text.split('\r\n').map((line) => line.replace(/,[^,"]*,(?=[^,]*$|"[^"]*"$)/, '')),
    );
    const second = JSON.parse((await apply(csv, '--min-confidence', '0', '-o', csv, '--json')).out);
    expect(second).toMatchObject({ gained: 0, added: 0 });
    expect(await readFile(csv, 'utf8')).toBe(once);
  });

  it('adds nothing on the grounds of what it added before', async () => {
    await apply(csv, ...ANY, '-o', csv);
    const once = await readFile(csv, 'utf8');
    const second = JSON.parse((await apply(csv, ...ANY, '-o', csv, '--json')).out);
    expect(second).toMatchObject({ objects: 26, added: 0 });
    expect(await readFile(csv, 'utf8')).toBe(once);
  });

  it('refuses standard input, which cannot be read twice', async () => {
    await expect(apply('-', '-o', join(folder, 'out.csv'))).rejects.toThrow(
      /got standard input, expected a catalogue file\. Save it to a file first/,
    );
  });

  it('adds to one row of an object that has several', async () => {
    const variants = text.replaceAll(/^(p\d\d),.*$/gm, '$&\r\n$1,,,"2,0"');
    await writeFile(csv, variants);
    const { out: said } = await apply(csv, ...ANY, '-o', csv);
    expect(said).toMatch(/^objects +26, 2 not in the model\nadded +\d+ tags to 25 objects\n/);
    const lines = (await readFile(csv, 'utf8')).split('\r\n');
    expect(lines.filter((line) => /^p\d\d,,,"2,0"$/.test(line))).toHaveLength(24);
  });

  it('shows what it would add and writes nothing with --dry-run', async () => {
    const { out } = await apply(csv, ...ANY, '--dry-run');
    const [first] = await suggested('p00');
    expect(out).toContain(`tent number 0 (p00)\n  + ${first}`);
    expect(out).toMatch(/\nobjects +26, 2 not in the model\nto add +\d+ tags to 25 objects\n$/);
    const json = JSON.parse((await apply(csv, ...ANY, '--dry-run', '--json')).out);
    expect(json.changes).toHaveLength(25);
    expect(json.changes[0]).toMatchObject({ row: 1, object: 'p00', title: 'tent number 0', add: [{ tag: first }, {}] });
    expect(json).toMatchObject({ objects: 26, gained: 25 });
    const none = JSON.parse((await apply(csv, '--min-confidence', '1', '--dry-run', '--json')).out);
    expect(none).toMatchObject({ changes: [], added: 0 });
    expect(await readdir(folder)).not.toContain('out.csv');
  });

  it('never adds a tag that a row has, in whatever case or under another name', async () => {
    await writeFile(csv, 'id,title,tags\np00,x,T1;t0;t2\np01,x,one;t3\n');
    await writeFile(join(folder, 'map.tsv'), 'tag\tmerged\none\tt1\n');
    const merging = ['--merge-tags', join(folder, 'map.tsv')];
    const { changes } = JSON.parse((await apply(csv, '--min-confidence', '0', '--dry-run', '--json', ...merging)).out);
    for (const { add } of changes) expect(add.map(({ tag }: { tag: string }) => tag)).not.toContain('t1');
  });

  it('takes row numbers for the objects of the model only where the rows say the same', async () => {
    const numbered = graphFrom({
      interact: [],
      tagged: objects.flatMap((_, i) => tagsOf(i).map((tag) => [`${i + 1}`, tag] as const)),
      objects: objects.map((_, i) => [`${i + 1}`, `${THINGS[i % 4]} number ${i}`] as const),
    });
    const path = join(folder, 'numbered.tagloom');
    await saveModel(path, await train(numbered, { model: 'loom', threads: 1 }));
    await writeFile(csv, 'title,tags\ntent number 0,t0;t2\nboot number 7,t0;t2\nother name of it,t0;t3\n');
    const args = ['apply', path, csv, '--title', 'title', '--tags', 'tags', '--dry-run', '--json'];
    expect(JSON.parse((await runCommand(addApply, args)).out)).toMatchObject({ objects: 3, known: 1, new: 2 });
  });

  it('reads gzip and writes what the name says', async () => {
    const [zipped, plain] = [join(folder, 'a.csv.gz'), join(folder, 'b.csv')];
    await writeFile(zipped, gzipSync(text));
    await apply(zipped, ...ANY, '-o', plain);
    await apply(zipped, ...ANY, '-o', zipped);
    expect(gunzipSync(await readFile(zipped)).toString()).toBe(await readFile(plain, 'utf8'));
    await Promise.all([rm(zipped), rm(plain)]);
  });

  it('adds the same tags to the same rows, whatever the format', async () => {
    const { changes } = JSON.parse((await apply(csv, ...ANY, '--dry-run', '--json')).out);
    const rows = objects.map((id, i) => ({ id, title: `${THINGS[i % 4]} number ${i}`, keywords: tagsOf(i), price: i }));
    const all = [...rows, { id: 'n1', title: 'tent', keywords: [], price: 0 }];
    const column = (name: 'id' | 'title' | 'keywords' | 'price') => ({ name, data: all.map((row) => row[name]) });
    const columnData = [column('id'), column('title'), column('keywords'), column('price')];
    const files = {
      'a.jsonl': all.map((row) => `${JSON.stringify(row)}\n`).join(''),
      'a.json': JSON.stringify({ items: all }, null, 4),
      'a.parquet': new Uint8Array(parquetWriteBuffer({ columnData })),
      'a.tsv': [
        'id\ttitle\tkeyword',
        ...all.flatMap(({ id, title, keywords }) =>
          (keywords.length === 0 ? [''] : keywords).map((tag) => [id, title, tag].join('\t')),
        ),
      ].join('\n'),
    };
    for (const [name, contents] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, contents);
      const found = JSON.parse((await apply(path, ...ANY, '--dry-run', '--json')).out);
      const added = (list: { object: string; add: unknown }[]) => list.map(({ object, add }) => ({ object, add }));
      expect(added(found.changes)).toEqual(added(changes));
      const out = join(folder, `out-${name}`);
      await apply(path, ...ANY, '-o', out);
      // all of it is in the file now: as accepted tags, there is nothing left to add
      const accepted = added(found.changes).flatMap(({ object, add }) =>
        (add as { tag: string }[]).map(({ tag }): NewReview => ({ object, tag, decision: 'accept' })),
      );
      expect(accepted.length).toBeGreaterThan(40);
      const again = JSON.parse((await apply(out, '--reviews', holding(accepted), '--dry-run', '--json')).out);
      expect(again).toMatchObject({ objects: 25, changes: [] });
      await Promise.all([rm(path), rm(out)]);
    }
  });

  it('fills a column of tags that is blank everywhere', async () => {
    await writeFile(csv, 'id;title;tags\nn1;tent;\nn2;"lamp";""\n');
    const out = join(folder, 'blank.csv');
    await apply(csv, ...ANY, '-o', out);
    const [tent, lamp] = [await suggested('--title', 'tent'), await suggested('--title', 'lamp')];
    expect(await readFile(out, 'utf8')).toBe(
      `id;title;tags\nn1;tent;${tent.join(', ')}\nn2;"lamp";"${lamp.join(', ')}"\n`,
    );
    await rm(out);
  });

  it('takes an id for the title where the file has none, as training does', async () => {
    await writeFile(csv, 'id,tags\ntent,for tent;x\nlamp,x;y\nboot,\n');
    const { changes } = JSON.parse(
      (await apply(csv, ...ANY, '--dry-run', '--json', '--id', 'id', '--tags', 'tags')).out,
    );
    const wanted = await suggested('--title', 'tent', '--tags', 'for tent,x');
    expect(changes[0].add.map(({ tag }: { tag: string }) => tag)).toEqual(wanted);
    expect(changes).toHaveLength(3);
  });

  it('says which tags found no place, and what to do about it', async () => {
    await writeFile(csv, `id,title,tags\n${objects.map((object, i) => `${object},x,t${i % 4}`).join('\n')}\n`);
    const { err } = await apply(csv, ...ANY, '--dry-run');
    expect(err).toMatch(
      /left out \d+ tags that tags cannot hold. It has one tag in each cell; to add more, give --separator/,
    );
    const json = JSON.parse((await apply(csv, ...ANY, '--separator', '|', '--dry-run', '--json')).out);
    expect(json).toMatchObject({ leftOut: 0, gained: 24 });
  });

  it('leaves the file alone when it is stopped', async () => {
    const stop = new AbortController();
    stop.abort();
    const args = ['apply', model, csv, ...ANY, '-o', csv];
    await expect(runCommand(addApply, args, { signal: stop.signal })).rejects.toThrow(/Stopped/);
    expect(await readFile(csv, 'utf8')).toBe(text);
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.each([
    [[], 'got no file to write, expected -o or --dry-run.'],
    [['-o', 'MODEL'], 'got a file that is there, expected a new one.'],
    [['--dry-run', '--tags', 'nothing'], 'got no column "nothing" (--tags)'],
    [['--dry-run', '--min-confidence', '80'], 'from 0 to 1'],
  ])('refuses %j', async (args, said) => {
    await expect(apply(csv, ...args.map((one) => (one === 'MODEL' ? model : one)))).rejects.toThrow(said);
  });

  it('refuses folders, files that are not there, and files without tags', async () => {
    await expect(apply(folder, '--dry-run')).rejects.toThrow('got a folder, expected one file.');
    await expect(apply(join(folder, 'no.csv'), '--dry-run')).rejects.toThrow('no.csv: got no such file');
    await writeFile(csv, 'id,title\n1,a\n2,b\n');
    await expect(apply(csv, '--dry-run')).rejects.toThrow('expected a column of tags');
  });

  it('says that a loom of a handful of objects cannot tell how sure it is', async () => {
    const few = graphFrom({
      interact: [],
      tagged: [
        ['a/1', 'toy'],
        ['a/1', 'red'],
        ['b 🎈', 'toy'],
        ['b 🎈', 'blue'],
      ],
    });
    const path = join(folder, 'few.tagloom');
    await saveModel(path, await train(few, { threads: 1 }));
    const file = join(folder, 'few.csv');
    await writeFile(file, 'id,tags\na/1,toy;red\nb 🎈,toy;blue\n');
    await expect(runCommand(addApply, ['apply', path, file, '--dry-run', '--threads', '1'])).rejects.toThrow(
      'got a loom model of too few objects, expected one that knows how sure it is. Train on more objects, or say with --limit',
    );
  });

  it('asks a model without confidence for a limit, and tells of rows that it cannot know', async () => {
    const popularity = ['apply', join(folder, 'popularity'), csv, '--dry-run'];
    await expect(runCommand(addApply, popularity)).rejects.toThrow('say with --limit how many tags to add');
    const { err } = await runCommand(addApply, [...popularity, '--limit', '1']);
    expect(err).toContain('1 object not in the model gained nothing: only loom suggests to new objects.');
  });
});

describe('tagloom apply --reviews', () => {
  const review = (object: string, tag: string, decision: 'accept' | 'reject'): NewReview => ({ object, tag, decision });

  it('adds what was accepted, never what was rejected, and suggestions only with --min-confidence', async () => {
    const path = holding([
      review('p00', 'quite new', 'accept'),
      review('p00', 't0', 'accept'),
      review('n2', 't1', 'accept'),
      review('p01', (await suggested('p01'))[0], 'reject'),
      review('n1', (await suggested('--title', 'tent'))[0], 'reject'),
    ]);
    const { changes } = JSON.parse((await apply(csv, '--reviews', path, '--dry-run', '--json')).out);
    expect(changes.map(({ object, add }: { object: string; add: unknown }) => [object, add])).toEqual([
      ['p00', [{ tag: 'quite new', reviewed: true }]],
      ['n2', [{ tag: 't1', reviewed: true }]],
    ]);
    const args = ['--min-confidence', '0', '--limit', '1', '--reviews', path, '--dry-run', '--json'];
    const { changes: all } = JSON.parse((await apply(csv, ...args)).out);
    const added = (object: string) =>
      all.find((one: { object: string }) => one.object === object)?.add.map(({ tag }: { tag: string }) => tag);
    expect(added('p00')).toEqual(['quite new', (await suggested('p00'))[0]]);
    expect(added('p01')).toEqual([(await suggested('p01'))[1]]);
    expect(added('n1')).toEqual([(await suggested('--title', 'tent'))[1]]);
  });
});
