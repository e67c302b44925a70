import { join } from 'node:path';
import { it, expect } from 'vitest';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { loadModel, Recommender, saveModel, train, compare, tune } from '../../src/pipeline.ts';
import { tempFolder } from '../temp-folder.ts';
import { checkerboard } from '../checkerboard.ts';
import { writeFolder } from '../../src/data/folder.ts';
import { runCommand } from '../commands/run-command.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { addMissing } from '../../src/commands/missing.ts';
import { addSimilar } from '../../src/commands/similar.ts';
import { addExplain } from '../../src/commands/explain.ts';

const cases: Record<string, any> = {
  empty: { interact: [], tagged: [] },
  noTags: { interact: [['u', 'a'], ['u', 'b'], ['v','b']], tagged: [] },
  noTagsManyUsers: { interact: [['u', 'a'], ['v', 'a'], ['w','b']], tagged: [] },
  oneTag: { interact: [['u', 'a'], ['u', 'b']], tagged: [['a', 'x']] },
  noUsers: { interact: [], tagged: [['a', 'x'], ['b', 'y'], ['b', 'x']] },
  two: { interact: [['u', 'a'], ['u', 'b']], tagged: [['a', 'x'], ['b', 'x']] },
  lonely: { interact: [['u', 'a']], tagged: [['b', 'x'],['c','y']], objects: [['a','T'],['b','T'],['d','D']] },
};

it('cli', async () => {
  const folder = await tempFolder();
  const graph = graphFrom({ interact: checkerboard().interact ? Array.from(checkerboard().interact.heads, (h, i) => [checkerboard().users.name(h), checkerboard().objects.name(checkerboard().interact.tails[i])] as const).slice(0,200) : [], 
    tagged: Array.from({length: 40}, (_, i) => [`o${String(i).padStart(3,'0')}`, `t${i % 5}`] as const).concat(Array.from({length: 40}, (_, i) => [`o${String(i).padStart(3,'0')}`, `t${(i+1) % 5}`] as const)), objects: [['o000','Same'],['o001','Same'],['lone','Lonely']] });
  const loom = join(folder, 'loom'), pop = join(folder, 'pop');
  await saveModel(loom, await train(graph, { model: 'loom', threads: 1 }));
  await saveModel(pop, await train(graph, { model: 'popularity', threads: 1 }));
  const tryIt = async (add: any, ...args: string[]) => {
    let out = { out: '', err: '' } as any;
    const { Command } = await import('commander');
    const { Terminal } = await import('../../src/commands/terminal.ts');
    const o = { write: (t: string) => (out.out += t) }, e = { write: (t: string) => (out.err += t) };
    const program = new Command('tagloom').exitOverride(); program.configureOutput({ writeOut: o.write, writeErr: e.write });
    add(program, new Terminal({ out: o, err: e, signal: new AbortController().signal, now: () => 0 }));
    try { await program.parseAsync(args, { from: 'user' }); } catch (error) { out.thrown = String(error); }
    process.stdout.write(args.map((a) => a.replace(folder, '')).join(' ') + '\n' + JSON.stringify(out.out.slice(0, 600)) + ' ERR ' + out.err + ' THROWN ' + out.thrown + '\n\n');
  };
  await tryIt(addSuggest, 'suggest', loom, '--json', 'nobody');
  await tryIt(addSuggest, 'suggest', pop, '--json', '--tags', 't1');
  await tryIt(addSuggest, 'suggest', loom, '--title', 'lone');
  await tryIt(addSuggest, 'suggest', loom, 'same');
  await tryIt(addSuggest, 'suggest', loom, 'lone', '--allow', 'nothing');
  await tryIt(addSuggest, 'suggest', loom, 'lone', '--novelty', '-1');
  await tryIt(addMissing, 'missing', pop, 't1', '--min-confidence', '0.5');
  await tryIt(addMissing, 'missing', loom, 't1', '--min-confidence', '50');
  await tryIt(addSimilar, 'similar', loom, 'lone');
  await tryIt(addExplain, 'explain', loom, 'lone', 't1');
  await tryIt(addExplain, 'explain', pop, 'lone', 't1', '--json');
  await tryIt(addExplain, 'explain', pop, 'o002', 't1', '--limit', '20');
});
