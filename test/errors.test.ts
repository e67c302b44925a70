import { describe, expect, it } from 'vitest';
import { CancelledError, InputError } from '../src/errors.ts';

const PROBLEM = { got: 'one', expected: 'two', cure: 'Add one.' };

describe('InputError', () => {
  it.each([
    [{}, 'got one, expected two. Add one.'],
    [{ file: 'a.tsv' }, 'a.tsv: got one, expected two. Add one.'],
    [{ file: 'a.tsv', line: 3 }, 'a.tsv, line 3: got one, expected two. Add one.'],
  ])('says where, what and what to do: %j', (where, message) => {
    const cause = new Error('below');
    const error = new InputError({ ...where, ...PROBLEM }, { cause });
    expect(error).toMatchObject({ name: 'InputError', message, cause, problem: { ...where, ...PROBLEM } });
  });
});

describe('CancelledError', () => {
  it('is no InputError: nothing is wrong with the input', () => {
    expect(new CancelledError()).toMatchObject({ name: 'CancelledError', message: 'Stopped on request.' });
    expect(new CancelledError()).not.toBeInstanceOf(InputError);
  });
});
