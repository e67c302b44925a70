import { describe, expect, it } from 'vitest';
import { Terminal, textTable } from '../../src/commands/terminal.ts';

describe('textTable', () => {
  it('puts numbers to the right and texts to the left', () => {
    expect(
      textTable(
        ['name', 'count'],
        [
          ['a', '1,000'],
          ['longer', 7],
        ],
      ),
    ).toBe('name    count\na       1,000\nlonger      7\n');
  });

  it('counts wide characters as two columns and marks as none', () => {
    expect(
      textTable(undefined, [
        ['日本', 'x'],
        ['abcd', 'y'],
        ['e\u0301tc.', 'z'],
      ]),
    ).toBe('日本  x\nabcd  y\ne\u0301tc.  z\n');
  });
});

describe('Terminal', () => {
  function terminalAt(times: readonly number[]) {
    const written = { out: '', err: '' };
    let i = 0;
    const terminal = new Terminal({
      out: { write: (text) => (written.out += text) },
      err: { write: (text) => (written.err += text) },
      signal: new AbortController().signal,
      now: () => times[Math.min(i++, times.length - 1)],
    });
    return { terminal, written };
  }

  it('shows progress only of work longer than a second, then every five, and warnings at the end', async () => {
    const { terminal, written } = terminalAt([0, 500, 1500, 2500, 6600]);
    await terminal.during(async ({ progress, warn }) => {
      warn?.('one row was left out');
      for (const done of [1, 2, 3, 5]) progress?.('reading', done, 10, done === 5 ? 'users' : undefined);
    });
    expect(written.err).toBe('reading: 20 %\nreading: 50 %, users, 8 s left\nwarning: one row was left out\n');
  });

  it('tells warnings where the work fails, too', async () => {
    const { terminal, written } = terminalAt([0]);
    const failing = terminal.during(async ({ warn }) => {
      warn?.('careful');
      throw new Error('it failed');
    });
    await expect(failing).rejects.toThrow('it failed');
    expect(written.err).toBe('warning: careful\n');
  });

  it('answers on one stream, remarks on the other, and waits for a slow reader', async () => {
    const { terminal, written } = terminalAt([0]);
    terminal.print('a');
    terminal.printJson({ b: 1 });
    terminal.note('c');
    expect(written).toEqual({ out: 'a\n{\n  "b": 1\n}\n', err: 'c\n' });
    expect(terminal.commandLine('serve x')).toBe('tagloom serve x');

    let drained = () => {};
    const out = { write: () => false, once: (_: 'drain', listener: () => void) => (drained = listener) };
    const signal = new AbortController().signal;
    const slow = new Terminal({ out, err: { write: () => {} }, signal, now: () => 0, program: 'npm run tagloom --' });
    let isWritten = false;
    const writing = slow.write('x').then(() => (isWritten = true));
    await Promise.resolve();
    expect(isWritten).toBe(false);
    drained();
    await writing;
    expect(slow.commandLine('demo')).toBe('npm run tagloom -- demo');
  });
});
