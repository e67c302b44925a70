// What makes two words different things however similar they look and whatever company they keep: opposites, versions and numbers.
// Opposites stand among the same tags as synonyms do, so their names are the best there is to tell them apart by.

/** Everyday English, and words of computing that are as common. */
const OPPOSITES = `
  add/remove add/delete after/before all/none all/some append/prepend ascending/descending ask/answer async/sync
  asynchronous/synchronous attach/detach back/front bad/good begin/end big/small black/white bottom/top brother/sister buy/sell
  child/parent children/parents clean/dirty client/server close/open closed/open cold/hot column/row columns/rows create/delete
  dark/light day/night death/life down/up download/upload dynamic/static early/late east/west easy/hard empty/full enter/exit
  even/odd expand/collapse export/import exports/imports false/true fast/slow female/male fifo/lifo first/last forward/backward
  forwards/backwards from/to fulfilled/rejected get/post get/set getter/setter happy/sad hard/soft head/body head/tail
  heavy/light hide/show high/low horizontal/vertical in/out increase/decrease inner/outer input/output instrumental/vocal
  internal/external key/value keys/values king/queen left/right local/global local/remote lock/unlock long/short love/hate
  major/minor man/woman max/min maximum/minimum men/women mono/stereo morning/evening mother/father mutable/immutable near/far
  new/old next/previous north/south null/undefined off/on old/modern parse/stringify parser/stringifier pause/play
  positive/negative prefix/suffix public/private pull/push push/pop question/answer quiet/loud read/write reader/writer
  readable/writable reject/resolve rejected/resolved request/response rich/poor send/receive sender/receiver
  serial/parallel serialize/deserialize series/parallel set/unset sign/verify singular/plural singularize/pluralize
  source/destination source/target spring/autumn spring/fall start/end start/finish start/stop stderr/stdout stdin/stderr
  stdin/stdout strong/weak summer/winter union/difference union/intersection upper/lower uppercase/lowercase urban/rural
  wide/narrow width/height win/lose with/without wrap/unwrap yes/no young/old zip/unzip`;
const KNOWN: ReadonlySet<string> = new Set(
  pairsIn(OPPOSITES).flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]),
);
/** Beginnings that make opposites of what follows them; nothing where the other word has none. */
const BEGINNINGS = pairsIn(`
  en/de in/ex im/ex in/de in/out up/down pre/post min/max over/under upper/lower de/re micro/macro sub/super multi/single
  fore/back com/decom mono/poly mini/maxi north/south east/west fe/ milli/nano milli/micro micro/nano
  un/ non/ de/ dis/ anti/ in/ im/ ir/ a/ post/ pre/ neo/ alt/ proto/ sub/ super/ meta/ micro/ milli/ nano/ multi/`);
const MIN_REST = 3; // letters behind a beginning
const NUMBER = /\d+(?:\.\d+)*/g;

/** The two words of which the names differ, if one is the opposite of the other. */
export function areOpposite(one: string, other: string): boolean {
  if (KNOWN.has(`${one} ${other}`)) return true;
  return BEGINNINGS.some(([a, b]) => differInBeginning(one, other, a, b) || differInBeginning(one, other, b, a));
}

function differInBeginning(one: string, other: string, mine: string, theirs: string): boolean {
  if (!one.startsWith(mine) || !other.startsWith(theirs)) return false;
  const rest = one.slice(mine.length);
  if (rest.length < Math.max(MIN_REST, mine.length + 1) || (theirs === '' && mine.length < 2 && rest.length < 5))
    return false;
  return withoutEnding(rest) === withoutEnding(other.slice(theirs.length));
}

function pairsIn(text: string): (readonly [string, string])[] {
  return text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('/') as [string, string]);
}

/** encoder and decoding are opposites, too. */
function withoutEnding(word: string): string {
  return word.replace(/(?<=...)(?:ing|ers?|ions?|ed|es?|s)$/, '');
}

/** Whether one has other numbers than the other, or one has some and the other none: vue and vue3. */
export function differInNumbers(one: string, other: string): boolean {
  return (one.match(NUMBER) ?? []).join(' ') !== (other.match(NUMBER) ?? []).join(' ');
}
