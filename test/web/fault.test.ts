// Errors of the library in the words of the page to train on.

import { expect, it } from 'vitest';
import { tooMuchAtOnce } from '../../src/engine/webgpu/buffers.ts';
import { InputError } from '../../src/errors.ts';
import { faultOf, onPage } from '../../web/src/train/worker/fault.ts';

it('names the field of the page where a GPU is out of memory, not the option of the command line', () => {
  const { text, cure, isBug } = faultOf(tooMuchAtOnce(5e9, 1e9));
  expect(text).toBe('got a request for 5.00 GB of GPU memory, expected at most 1.00 GB for one kernel to see.');
  expect(cure).not.toContain('--');
  expect(cure).toContain('choose "Processor" as the engine');
  expect(isBug).toBe(false);
});

it('tells bad input from a bug', () => {
  const bad = new InputError({ file: 'tagged.tsv', line: 3, got: '1 field', expected: '2', cure: 'Remove this row.' });
  expect(faultOf(bad)).toEqual({
    text: 'tagged.tsv, line 3: got 1 field, expected 2.',
    cure: 'Remove this row.',
    isBug: false,
  });
  expect(faultOf(new RangeError('too long'))).toMatchObject({ text: 'RangeError: too long', isBug: true });
});

it.each([
  ['Name it with --tags NAME.', 'Choose “tags” for it below.'],
  ['Fill it, or name another column with --tags.', 'Fill it, or choose another column below.'],
  ['Fill the column of ids, or pass another with --id.', 'Fill the column of ids, or choose another column below.'],
  ['only tags are learned from. Name one with --text.', 'only tags are learned from. Choose one below.'],
  ['the tags are those of a; add it with --tags', 'the tags are those of a; choose “tags” to add it'],
  ['Split them: pass --separator ";".', 'Split them: choose ";" as the separator.'],
  [
    'Check that tags are separated as they should be (--separator).',
    'Check that tags are separated as they should be.',
  ],
])('says “%s” in words of the page', (said, words) => expect(onPage(said)).toBe(words));
