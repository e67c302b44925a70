// What makes two words different things however similar they look and whatever company they keep: opposites, versions and numbers.
// Opposites stand among the same tags as synonyms do, so their names are the best there is to tell them apart by.

/** Everyday English, of no field in particular. */
const OPPOSITES = `add remove,add delete,after before,all none,all some,ask answer,async sync,asynchronous synchronous,attach detach,
back front,bad good,begin end,big small,black white,bottom top,buy sell,child parent,children parents,client server,clean dirty,close open,
cold hot,column row,columns rows,create delete,dark light,day night,death life,down up,download upload,dynamic static,early late,
east west,easy hard,empty full,enter exit,even odd,expand collapse,export import,exports imports,false true,fast slow,female male,
female vocalists male vocalists,fifo lifo,first last,forward backward,forwards backwards,from to,get set,getter setter,happy sad,hard soft,head tail,
head body,heavy light,hide show,high low,horizontal vertical,in out,increase decrease,input output,inner outer,instrumental vocal,internal external,key value,keys values,
king queen,left right,local global,local remote,lock unlock,long short,love hate,major minor,man woman,max min,maximum minimum,men women,
mono stereo,mutable immutable,near far,new old,next previous,north south,null undefined,off on,old modern,open closed,pause play,positive negative,
public private,pull push,push pop,question answer,quiet loud,read write,reader writer,readable writable,reject resolve,rejected resolved,fulfilled rejected,
request response,rich poor,send receive,sender receiver,serial parallel,series parallel,serialize deserialize,set unset,sign verify,singular plural,
singularize pluralize,source target,source destination,start end,start stop,start finish,stdin stdout,stderr stdout,stdin stderr,strong weak,summer winter,
union intersection,union difference,upper lower,uppercase lowercase,urban rural,wide narrow,width height,win lose,with without,wrap unwrap,yes no,young old,zip unzip,
append prepend,ascending descending,prefix suffix,parse stringify,parser stringifier,get post,brother sister,mother father,morning evening,spring autumn,spring fall`;

const KNOWN = new Set(
  OPPOSITES.split(/\s*,\s*/).flatMap((pair) => {
    const [one, other] = pair.split(' ');
    return pair.split(' ').length === 2 ? [`${one} ${other}`, `${other} ${one}`] : [];
  }),
);
/** Beginnings that make opposites of what follows them. '' where the other word has none. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ...([
    ['en', 'de'],
    ['in', 'ex'],
    ['im', 'ex'],
    ['in', 'de'],
    ['in', 'out'],
    ['up', 'down'],
    ['pre', 'post'],
    ['min', 'max'],
  ] as const),
  ...([
    ['over', 'under'],
    ['upper', 'lower'],
    ['de', 're'],
    ['micro', 'macro'],
    ['sub', 'super'],
    ['multi', 'single'],
    ['fore', 'back'],
  ] as const),
  ...([
    ['com', 'decom'],
    ['mono', 'poly'],
    ['mini', 'maxi'],
    ['north', 'south'],
    ['east', 'west'],
    ['fe', ''],
    ['milli', 'nano'],
    ['milli', 'micro'],
    ['micro', 'nano'],
  ] as const),
  ...[
    'un',
    'non',
    'de',
    'dis',
    'anti',
    'in',
    'im',
    'ir',
    'a',
    'post',
    'pre',
    'neo',
    'alt',
    'proto',
    'sub',
    'super',
    'meta',
    'micro',
    'milli',
    'nano',
    'multi',
  ].map((one) => [one, ''] as const),
];
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

/** encoder and decoding are opposites, too. */
function withoutEnding(word: string): string {
  return word.length > 5 ? word.replace(/(?:ing|ers?|ions?|ed|es?|s)$/, '') : word.replace(/e?s?$/, '');
}

/** Whether both have numbers and other ones, or one has a number behind a name that is the other: vue and vue3. */
export function differInNumbers(one: string, other: string): boolean {
  return (one.match(NUMBER) ?? []).join(' ') !== (other.match(NUMBER) ?? []).join(' ');
}
