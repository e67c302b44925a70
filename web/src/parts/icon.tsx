// Small drawings for buttons; what they mean is said in words beside them.

const SHAPES = {
  accept: 'M4 12.5l5 5L20 6.5',
  reject: 'M6 6l12 12M18 6L6 18',
  unsure: 'M4 13c2.700-4.500 5.300-4.500 8-1s5.300 3.500 8-1',
  skip: 'M5 6l7 6-7 6zM18 6v12',
  note: 'M4 5h16v11H10l-5 4v-4H4z',
  list: 'M4 7h16M4 12h16M4 17h16',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  why: 'M9.2 9a3 3 0 1 1 4.2 3c-.9.5-1.4 1.1-1.4 2v.6M12 18.300v.2',
  open: 'M5 12h14M13 6l6 6-6 6',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.500L20 20',
  light:
    'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.600L19 19M5 19l1.4-1.400M17.6 6.400L19 5',
  dark: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z',
  system: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18M12 8l7-2M12 12h9M12 16l7 2',
  keys: 'M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  target: 'M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM12 2v6M12 16v6M2 12h6M16 12h6',
  outside: 'M14 5h5v5M19 5l-8 8M10 6H5v13h13v-5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20a7.5 7.5 0 0 1 15 0',
  whole: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
