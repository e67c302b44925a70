// The judge of research/text-peers.mjs: one measure for all contestants, and their table.

const KS = [1, 3, 5];
const RECALL_AT = 3;

/** P@k and R@3, means over the test objects. `found`, `test`: tags by object, the found ones best first. */
export function judged(found, test) {
  const sums = Object.fromEntries([...KS.map((k) => [`p@${k}`, 0]), [`r@${RECALL_AT}`, 0]]);
  for (const [object, tags] of test) {
    const own = new Set(tags);
    const hits = (k) => (found.get(object) ?? []).slice(0, k).filter((tag) => own.has(tag)).length;
    for (const k of KS) sums[`p@${k}`] += hits(k) / k;
    sums[`r@${RECALL_AT}`] += hits(RECALL_AT) / own.size;
  }
  return Object.fromEntries(Object.entries(sums).map(([metric, sum]) => [metric, sum / test.size]));
}

export function markdownTable(facts, rows) {
  const { data, split, numTrain, numTest, numTags, machine } = facts;
  const metrics = [...KS.map((k) => `p@${k}`), `r@${RECALL_AT}`];
  const head = [
    data,
    ...metrics.map((metric) => metric.toUpperCase()),
    'training, s',
    'model, MB',
    'batch, objects/s',
    'single, objects/s',
  ];
  const lines = rows.map((row) => [
    row.model,
    ...metrics.map((metric) => (100 * row[metric]).toFixed(2)),
    row.seconds.toFixed(1),
    (row.bytes / 1e6).toFixed(2),
    speed(row.batch),
    speed(row.single),
  ]);
  const rule = ['---', ...head.slice(1).map(() => '---:')];
  const load = machine.load.map((value) => value.toFixed(1)).join(', ');
  const caption = `${data} (${split}): ${numTrain} objects to train on, ${numTest} to test, ${numTags} tags. ${machine.cpu}, ${machine.cores} cores, load ${load}, Node ${machine.node}.`;
  return [caption, '', ...[head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function speed(perSecond) {
  return perSecond === undefined ? '' : String(Math.round(perSecond));
}
