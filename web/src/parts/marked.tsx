// A text with the part that was searched for marked in it.

import { placeIn } from './readable-text.ts';

interface MarkedProps {
  readonly text: string;
  readonly part: string;
}

export function Marked({ text, part }: MarkedProps) {
  const place = placeIn(text, part);
  if (place === undefined) return <>{text}</>;
  return (
    <>
      {text.slice(0, place.start)}
      <mark>{text.slice(place.start, place.end)}</mark>
      {text.slice(place.end)}
    </>
  );
}
