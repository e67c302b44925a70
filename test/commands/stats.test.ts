import { describe, expect, it } from 'vitest';
import { addStats } from '../../src/commands/stats.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const FILES = {
  'interact.tsv': 'user\tobject\nu\ta\nu\tb\nv\tb\nv\tc\n',
  'tagged.tsv': 'object\ttag\na\tx\na\ty\nb\tx\n',
};

describe('tagloom stats', () => {
  it('prints the table of the paper', async () => {
    const { out, err } = await runCommand(addStats, ['stats', await tempFolder(FILES)]);
    expect(err).toBe('');
    expect(out).toMatch(/^objects +3$/m);
    expect(out).toMatch(/^Interact \(user, object\) +4$/m);
    expect(out).toMatch(/^ {2}object pairs joined by a user +66\.67 %$/m);
    expect(out).toMatch(/^ {2}tag pairs joined by an object +100\.00 %$/m);
    expect(out).toMatch(/^objects without tags +1 \(33\.33 %\)$/m);
    expect(out).toContain('most frequent tags: x 2, y 1');
  });

  it('--json prints one document and nothing else', async () => {
    const { out } = await runCommand(addStats, ['stats', await tempFolder(FILES), '--json']);
    const facts = JSON.parse(out);
    expect(facts).toMatchObject({ numObjects: 3, numTagged: 3, tagGraphDensity: 1 });
    expect(facts.objectGraphDensity).toBeCloseTo(2 / 3, 12);
    expect(facts.fingerprint).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([['--json'], []])('says nothing of users where the data has none (%s)', async (...flags) => {
    const folder = await tempFolder({ 'tagged.tsv': FILES['tagged.tsv'] });
    const { out } = await runCommand(addStats, ['stats', folder, ...flags]);
    expect(out).toMatch(/numTagged|TaggedWith/);
    expect(out).not.toMatch(/user|interact|neither|objectGraph/i);
  });

  it('says in percent what it is doing once a second has passed, and warns at the end', async () => {
    let clock = 0;
    const now = () => (clock += 600);
    const folder = await tempFolder({ ...FILES, 'tagged.tsv': `${FILES['tagged.tsv']}c\t \n` });
    const { err, out } = await runCommand(addStats, ['stats', folder], { now });
    expect(err).toMatch(/^reading interact\.tsv: \d+ %$/m);
    expect(err).toMatch(/^warning: tagged\.tsv: left out 1 row/m);
    expect(out).not.toContain('warning');
  });

  it('says nothing of progress in the first second', async () => {
    const { err } = await runCommand(addStats, ['stats', await tempFolder(FILES)], { now: () => 999 });
    expect(err).toBe('');
  });
});
