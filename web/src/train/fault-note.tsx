// What went wrong and what to do about it, in the words of the command line.

import type { Fault } from './worker/messages.ts';

export function FaultNote({ fault }: { readonly fault: Fault }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{fault.text}</strong> {fault.cure}
      </p>
    </div>
  );
}

export function Warnings({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Warnings">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
