// A slider for how sure suggestions must be. It counts once it rests.

import { useEffect, useRef, useState } from 'preact/hooks';
import { percent } from '../numbers.ts';

const STEP = 0.05;
const PAUSE = 200; // milliseconds for which a slider rests before it counts

interface MinConfidenceProps {
  readonly value: number;
  change(value: number): void;
}

export function MinConfidence({ value, change }: MinConfidenceProps) {
  const [shown, setShown] = useState(value);
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => setShown(value), [value]);
  useEffect(() => {
    if (shown === value) return;
    const timer = setTimeout(() => latest.current(shown), PAUSE);
    return () => clearTimeout(timer);
  }, [shown, value]);
  const words = shown === 0 ? 'any' : `≥ ${percent(shown)}`;
  return (
    <label class="slider">
      <span>Confidence</span>
      <input
        type="range"
        min="0"
        max="0.95"
        step={STEP}
        value={shown}
        aria-label="Minimum confidence"
        aria-valuetext={words}
        onInput={(event) => setShown(Number(event.currentTarget.value))}
      />
      <output>{words}</output>
    </label>
  );
}
