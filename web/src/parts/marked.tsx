// A text with the part that was searched for marked in it.

interface MarkedProps {
  readonly text: string;
  readonly part: string;
}

export function Marked({ text, part }: MarkedProps) {
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return <>{text}</>;
  const end = at + part.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
