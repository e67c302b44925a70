// A page of the queue by groups: the suggestions of an object, or of a tag, one after the other, the group with the best suggestion
// first. Only the groups of the page are looked up: an order of all suggestions by groups would be made anew after each decision.

/** The open suggestions that a filter lets through. A slot is the place of one. */
export interface OpenSlots {
  readonly order: Int32Array; // slots, the best first
  readonly groupOf: (slot: number) => number;
  readonly numGroups: number;
  /** All slots of some groups, in any order; undefined where they are too many to be sorted soon. */
  readonly slotsOf: (groups: readonly number[]) => readonly number[] | undefined;
  readonly compare: (a: number, b: number) => number;
}

/** Where a page begins. Both tell whether a slot comes later (above 0), earlier (below 0) or is the place itself. */
export interface GroupedStart {
  /** The best of its group. */
  readonly leader: (slot: number) => number;
  /** The last of the page before. */
  readonly place: (slot: number) => number;
}

export interface GroupedPage {
  readonly slots: number[];
  /** Of the group of the last slot, where there is another page. */
  readonly leader?: number;
}

export function groupedPage(open: OpenSlots, limit: number, start: GroupedStart | undefined): GroupedPage {
  const most = limit + 1; // one more than is shown tells whether there is another page
  const leaders = leadersFrom(open, most + 1, start); // the first group may have no more to show
  const isWithin = start !== undefined && leaders.length > 0 && start.leader(leaders[0]) === 0;
  const slots: number[] = [];
  const leaderOf: number[] = []; // beside the slots
  const add = (leader: number, members: readonly number[]) => {
    for (const slot of members) {
      slots.push(slot);
      leaderOf.push(leader);
    }
  };
  const [first, ...rest] = leaders;
  if (first !== undefined) add(first, membersOf(open, [first], most, isWithin ? start.place : undefined)[0]);
  if (slots.length < most && rest.length > 0) {
    for (const [i, members] of membersOf(open, rest, most, undefined).entries()) add(rest[i], members);
  }
  const page = slots.slice(0, limit);
  return { slots: page, ...(slots.length > limit && page.length > 0 && { leader: leaderOf[page.length - 1] }) };
}

/** The best slots of the groups a page may reach, in order. */
function leadersFrom(
  { order, groupOf, numGroups }: OpenSlots,
  most: number,
  start: GroupedStart | undefined,
): number[] {
  const isKnown = new Uint8Array(numGroups);
  const leaders: number[] = [];
  for (let i = 0; i < order.length && leaders.length < most; i++) {
    const group = groupOf(order[i]);
    if (isKnown[group] === 1) continue;
    isKnown[group] = 1;
    if (leaders.length > 0 || start === undefined || start.leader(order[i]) >= 0) leaders.push(order[i]);
  }
  return leaders;
}

/** Of the group of each leader the best slots behind a place, at most so many. */
function membersOf(
  open: OpenSlots,
  leaders: readonly number[],
  most: number,
  place: GroupedStart['place'] | undefined,
): number[][] {
  const groups = leaders.map(open.groupOf);
  const rankOf = new Int32Array(open.numGroups); // from 1; 0: not asked for
  for (const [i, group] of groups.entries()) rankOf[group] = i + 1;
  const members: number[][] = groups.map(() => []);
  const few = open.slotsOf(groups);
  const sorted = few === undefined ? open.order : Int32Array.from(few).sort(open.compare);
  let numFull = 0;
  for (let i = place ? firstBehind(sorted, place) : 0; i < sorted.length && numFull < groups.length; i++) {
    const rank = rankOf[open.groupOf(sorted[i])];
    if (rank === 0 || members[rank - 1].length === most) continue;
    if (members[rank - 1].push(sorted[i]) === most) numFull++;
  }
  return members;
}

function firstBehind(slots: Int32Array, place: (slot: number) => number): number {
  return firstWhere(slots, (slot) => place(slot) > 0);
}

/** The first place from which on something holds of all slots. */
export function firstWhere(slots: Int32Array, holds: (slot: number) => boolean, from = 0, to = slots.length): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(slots[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
