// Commands of single keys. They are heard wherever the focus is, except where a key means something there: in a field, on
// a control that Enter presses, while a dialog is open. A curator can turn letters off.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { preferences } from './preferences.ts';

/** By key as KeyboardEvent names it. */
export type KeyBindings = Readonly<Record<string, () => void>>;

const ARROWS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']);
const WITHOUT_TEXT = new Set(['checkbox', 'radio', 'button', 'range']);

export function useKeys(bindings: KeyBindings): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  // before the next frame, since a key may follow at once on what is seen
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (run === undefined || !isCommand(event)) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isCommand(event: KeyboardEvent): boolean {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector('dialog[open]') !== null) return false;
  if (key.length === 1 && !preferences.get().hasKeys) return false;
  if (!(target instanceof HTMLElement) || target === document.body) return true;
  if (target.closest('dialog:not([open])') !== null) return true; // just closed: it has the focus until the next frame
  if (isText(target)) return false;
  if (ARROWS.has(key)) return !target.matches('input, summary, [role=application]');
  if (key === 'Enter' || key === ' ') return !target.matches('a, button, input, summary, [role=application]');
  return true;
}

function isText(target: HTMLElement): boolean {
  if (target.isContentEditable || target.matches('textarea, select')) return true;
  return target instanceof HTMLInputElement && !WITHOUT_TEXT.has(target.type);
}
