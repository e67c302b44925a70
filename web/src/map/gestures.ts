// Hands on the map: drag and wheel, one finger and two, keys. They become moves of the view.

export interface GestureEvents {
  pan(right: number, down: number): void;
  zoomAt(x: number, y: number, factor: number): void;
  showAll(): void;
  /** Where the pointer is; undefined: nowhere. */
  point(x: number | undefined, y: number | undefined): void;
  open(x: number, y: number): void;
  openMiddle(): void;
  /** After a move by keys. */
  sayMiddle(): void;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

const CLICK = 5; // pixels a hand may shake
const KEY_STEP = 60;
const KEY_FACTOR = 1.4;

/** Gives what ends it. */
export function listenToGestures(host: HTMLElement, events: GestureEvents): () => void {
  const pointers = new Map<number, Spot>();
  let moved = 0;
  let touched = 0; // most fingers of this gesture
  const at = (event: MouseEvent) => {
    const { left, top } = host.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    host.setPointerCapture(event.pointerId);
    if (pointers.size === 0) [moved, touched] = [0, 0];
    pointers.set(event.pointerId, at(event));
    touched = Math.max(touched, pointers.size);
  };
  const move = (event: PointerEvent) => {
    const now = at(event);
    const before = pointers.get(event.pointerId);
    if (before === undefined) return events.point(now.x, now.y);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (pointers.size === 1) {
      if (moved > CLICK) events.pan(now.x - before.x, now.y - before.y);
    } else if (pointers.size === 2) {
      const other = [...pointers.values()].find((one) => one !== before) ?? now;
      pinch(events, other, before, now);
    }
    pointers.set(event.pointerId, now);
  };
  const up = (event: PointerEvent) => {
    const wasDown = pointers.delete(event.pointerId);
    const { x, y } = at(event);
    if (wasDown && event.type === 'pointerup' && moved <= CLICK && touched === 1) events.open(x, y);
  };
  const leave = () => events.point(undefined, undefined);
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const { x, y } = at(event);
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 * event.deltaY : event.deltaY;
    events.zoomAt(x, y, Math.exp(-pixels / 400));
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !pressKey(event.key, host, events)) return;
    event.preventDefault();
  };
  const listeners = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
    ['pointerleave', leave],
    ['wheel', wheel],
    ['keydown', key],
  ] as const;
  for (const [type, listener] of listeners) host.addEventListener(type, listener as EventListener, { passive: false });
  return () => {
    for (const [type, listener] of listeners) host.removeEventListener(type, listener as EventListener);
  };
}

/** One of two fingers moved from `before` to `now`; `other` rests. */
function pinch(events: GestureEvents, other: Spot, before: Spot, now: Spot): void {
  const factor =
    Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
  events.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, factor);
  events.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
}

/** Gives whether the key meant something. */
function pressKey(key: string, host: HTMLElement, events: GestureEvents): boolean {
  const [x, y] = [host.clientWidth / 2, host.clientHeight / 2];
  const moves: Record<string, () => void> = {
    ArrowLeft: () => events.pan(KEY_STEP, 0),
    ArrowRight: () => events.pan(-KEY_STEP, 0),
    ArrowUp: () => events.pan(0, KEY_STEP),
    ArrowDown: () => events.pan(0, -KEY_STEP),
    '+': () => events.zoomAt(x, y, KEY_FACTOR),
    '=': () => events.zoomAt(x, y, KEY_FACTOR),
    '-': () => events.zoomAt(x, y, 1 / KEY_FACTOR),
    '0': () => events.showAll(),
  };
  if (key === 'Enter') events.openMiddle();
  else if (Object.hasOwn(moves, key)) {
    moves[key]();
    events.sayMiddle();
  } else return false;
  return true;
}
