// Why a tag is suggested: of loom the parts of the score as signed bars that add up to it, of other models the paths through
// users and tags.

import { recallReasons } from '../api/recall.ts';
import type { Reasons as ReasonFacts } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { LoadedPart } from './loaded-part.tsx';
import { counted, sharePercent, signed } from './numbers.ts';
import { type ReasonLine, reach, reasonGroups } from './reason-lines.ts';

interface ReasonsProps {
  readonly object: string;
  readonly tag: string;
}

export function Reasons({ object, tag }: ReasonsProps) {
  const loaded = useLoaded(`${object}\u0000${tag}`, () => recallReasons(object, tag));
  return (
    <section class="reasons" aria-label={`Reasons for ${tag}`}>
      <LoadedPart loaded={loaded}>
        {(reasons) => (reasons.parts === undefined ? <Paths reasons={reasons} /> : <Parts reasons={reasons} />)}
      </LoadedPart>
    </section>
  );
}

function Parts({ reasons }: { readonly reasons: ReasonFacts }) {
  const groups = reasons.parts === undefined ? [] : reasonGroups(reasons.parts);
  const range = reach(groups);
  return (
    <table class="parts">
      <caption class="unseen">Parts of the score of {reasons.tag}</caption>
      <colgroup>
        <col class="parts-names" />
        <col />
        <col class="parts-amounts" />
      </colgroup>
      {groups.map(({ name, amount, lines }) => (
        <tbody key={name}>
          <tr class="part-group">
            <th scope="rowgroup">{name}</th>
            <Bar amount={amount} range={range} />
          </tr>
          {lines.map((line) => (
            <tr key={`${line.kind} ${line.label} ${line.object ?? ''}`}>
              <th scope="row">
                <LineLabel line={line} />
              </th>
              <Bar amount={line.amount} range={range} />
            </tr>
          ))}
        </tbody>
      ))}
      <tfoot>
        <tr class="part-total">
          <th scope="row">Score</th>
          <td />
          <td class="amount">{signed(reasons.score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function LineLabel({ line }: { readonly line: ReasonLine }) {
  const { kind, label, object, detail } = line;
  if (kind === 'tag') return <Link to={tagPath(label)}>{label}</Link>;
  if (kind === 'object' && object !== undefined) {
    return (
      <>
        <Link to={objectPath(object)}>{label}</Link> <small>{detail}</small>
      </>
    );
  }
  return <span class={kind === 'rest' ? 'soft' : ''}>{label}</span>;
}

/** From zero to the left or right, on one scale for all. */
function Bar({ amount, range }: { readonly amount: number; readonly range: { low: number; high: number } }) {
  const width = range.high - range.low || 1;
  const zero = (100 * -range.low) / width;
  const length = (100 * Math.abs(amount)) / width;
  const left = amount < 0 ? zero - length : zero;
  return (
    <>
      <td class="bar-cell">
        <span class="zero" style={{ left: `${zero}%` }} />
        <span class={amount < 0 ? 'bar against' : 'bar for'} style={{ left: `${left}%`, width: `${length}%` }} />
      </td>
      <td class="amount">{signed(amount)}</td>
    </>
  );
}

function Paths({ reasons }: { readonly reasons: ReasonFacts }) {
  const { tag, throughUsers, throughTags } = reasons;
  if (throughUsers.length === 0 && throughTags.length === 0) {
    return <p>The data has no path from this object to {tag}: the model goes by what it learnt as a whole.</p>;
  }
  return (
    <>
      {throughUsers.length > 0 && (
        <div>
          <p class="paths-title">Objects with this tag that share its users</p>
          <ul class="plain">
            {throughUsers.map(({ object, title, numSharedUsers, weight }) => (
              <li key={object}>
                <Link to={objectPath(object)}>{title}</Link>{' '}
                <small>
                  {counted(numSharedUsers, 'shared user')}, {sharePercent(weight)} alike
                </small>
              </li>
            ))}
          </ul>
        </div>
      )}
      {throughTags.length > 0 && (
        <div>
          <p class="paths-title">Its tags that stand beside this one elsewhere</p>
          <ul class="plain">
            {throughTags.map(({ tag: own, numObjects, weight }) => (
              <li key={own}>
                <Link to={tagPath(own)}>{own}</Link>{' '}
                <small>
                  {counted(numObjects, 'object')} {numObjects === 1 ? 'has' : 'have'} both, {sharePercent(weight)} of
                  those with {own}
                </small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
