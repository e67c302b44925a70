// Why a tag is suggested: of loom the parts of the score as signed bars that add up to it, of other models the paths through
// users and tags.

import type { ComponentChild } from 'preact';
import type { Explanation } from '../../../src/serving/recommend/explanation.ts';
import { counted, sharePercent, signed } from '../numbers.ts';
import { type ExplanationLine, explanationGroups, reach } from './explanation-lines.ts';

/** How names are shown: where they lead is up to the page. */
export interface Names {
  tag(tag: string): ComponentChild;
  object(object: string, title: string): ComponentChild;
}

interface ExplanationViewProps {
  readonly explanation: Explanation;
  readonly names: Names;
}

export function ExplanationView({ explanation, names }: ExplanationViewProps) {
  return explanation.parts === undefined ? (
    <Paths explanation={explanation} names={names} />
  ) : (
    <Parts explanation={explanation} names={names} />
  );
}

function Parts({ explanation, names }: ExplanationViewProps) {
  const groups = explanation.parts === undefined ? [] : explanationGroups(explanation.parts);
  const range = reach(groups);
  return (
    <table class="parts">
      <caption class="unseen">Parts of the score of {explanation.tag}</caption>
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
                <LineLabel line={line} names={names} />
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
          <td class="amount">{signed(explanation.score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function LineLabel({ line, names }: { readonly line: ExplanationLine; readonly names: Names }) {
  const { kind, label, object, detail } = line;
  if (kind === 'tag') return <>{names.tag(label)}</>;
  if (kind === 'object' && object !== undefined) {
    return (
      <>
        {names.object(object, label)} <small>{detail}</small>
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

function Paths({ explanation, names }: ExplanationViewProps) {
  const { tag, throughUsers = [], throughTags } = explanation;
  if (throughUsers.length === 0 && throughTags.length === 0) {
    return (
      <p>
        The data has no path from this object to {tag}: the score comes from what the model learned from all the data.
      </p>
    );
  }
  return (
    <>
      {throughUsers.length > 0 && (
        <div>
          <p class="paths-title">Objects with this tag that share its users</p>
          <ul class="plain">
            {throughUsers.map(({ object, title, numSharedUsers, weight }) => (
              <li key={object}>
                {names.object(object, title)}{' '}
                <small>
                  {counted(numSharedUsers, 'shared user')}, {sharePercent(weight)} similar
                </small>
              </li>
            ))}
          </ul>
        </div>
      )}
      {throughTags.length > 0 && (
        <div>
          <p class="paths-title">Its tags that occur together with this one</p>
          <ul class="plain">
            {throughTags.map(({ tag: own, numObjects, weight }) => (
              <li key={own}>
                {names.tag(own)}{' '}
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
