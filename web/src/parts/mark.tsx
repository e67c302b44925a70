// The mark: three warp threads, three wefts that go over one and under the next.

const COLUMNS = [0, 1, 2];

export function Mark({ size }: { readonly size: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {COLUMNS.map((i) => (
        <rect key={`warp ${i}`} class="warp" x={3 + 7 * i} y="0" width="4" height="24" rx="2" />
      ))}
      {COLUMNS.flatMap((row) =>
        COLUMNS.map((i) =>
          (row + i) % 2 === 0 ? (
            <g key={`weft ${row} ${i}`}>
              <rect class="gap" x={1.5 + 7 * i} y={2 + 7 * row} width="7" height="6" />
              <rect class="weft" x={0.5 + 7 * i} y={3 + 7 * row} width="9" height="4" rx="2" />
            </g>
          ) : null,
        ),
      )}
    </svg>
  );
}
