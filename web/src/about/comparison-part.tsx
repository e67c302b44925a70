// How models compare, by data set and metric: a bar for each, the one in service marked.

import { useState } from 'preact/hooks';
import { getComparison } from '../api/calls.ts';
import { sharePercent } from '../numbers.ts';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { useLoaded } from '../state/use-loaded.ts';
import { CalibrationChart } from './calibration-chart.tsx';
import { distinct, mainFraction, metricLabel, metricNames, type Result, resultsOf, type Spread } from './comparison.ts';
import { FractionsChart } from './fractions-chart.tsx';

export function ComparisonPart({ model }: { readonly model: string | undefined }) {
  const loaded = useLoaded('comparison', getComparison);
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison">How models compare</h2>
      {loaded.state === 'loading' && <Waiting />}
      {loaded.state === 'failed' &&
        (loaded.problem.status === 404 ? (
          <p class="soft">
            No results yet. Write some with <code>tagloom compare DATA --json &gt; FILE</code> and start the service
            with <code>--results FILE</code>.
          </p>
        ) : (
          <ProblemNote problem={loaded.problem} retry={loaded.retry} />
        ))}
      {loaded.state === 'there' && <Charts results={resultsOf(loaded.value.cells)} model={model} />}
    </section>
  );
}

function Charts({ results, model }: { readonly results: readonly Result[]; readonly model: string | undefined }) {
  const dataSets = distinct(results.map(({ data }) => data));
  const metrics = metricNames(results);
  const [data, setData] = useState(dataSets[0] ?? '');
  const [metric, setMetric] = useState(metrics[0] ?? '');
  const [group, setGroup] = useState('');
  const ofData = results.filter((one) => one.data === data);
  const fractions = distinct(ofData.map(({ trainFraction }) => trainFraction));
  const main = ofData.filter(({ trainFraction }) => trainFraction === mainFraction(fractions));
  const groups = distinct(main.flatMap((one) => one.groups.map((each) => each.group)));
  const calibrated = main.filter(({ bins }) => bins.length > 0);
  if (results.length === 0) return <p class="soft">The results file has nothing to show.</p>;
  return (
    <>
      <div class="filters">
        {dataSets.length > 1 && (
          <Choice label="Data" value={data} options={dataSets.map((one) => [one, one])} choose={setData} />
        )}
        <Choice
          label="Metric"
          value={metric}
          options={metrics.map((one) => [one, metricLabel(one)])}
          choose={setMetric}
        />
        {groups.length > 1 && (
          <Choice
            label="Objects"
            value={group}
            options={[['', 'all'], ...groups.map((one) => [one, groupLabel(one)] as const)]}
            choose={setGroup}
          />
        )}
      </div>
      <BarTable results={main} metric={metric} group={group} model={model} />
      <p class="note">
        {sharePercent(mainFraction(fractions))} of the pairs are for training, the rest for testing; lines are ± one
        standard deviation between seeds.
      </p>
      {fractions.length > 1 && <FractionsChart results={ofData} metric={metric} model={model} />}
      {calibrated.map((one) => (
        <CalibrationChart key={one.model} model={one.model} bins={one.bins} />
      ))}
    </>
  );
}

interface BarTableProps {
  readonly results: readonly Result[];
  readonly metric: string;
  readonly group: string;
  readonly model: string | undefined;
}

function BarTable({ results, metric, group, model }: BarTableProps) {
  const rows = results.flatMap((one) => {
    const spread = spreadOf(one, metric, group);
    return spread === undefined ? [] : [{ name: one.model, seconds: one.seconds, ...spread }];
  });
  rows.sort((a, b) => b.mean - a.mean);
  const most = Math.max(...rows.map(({ mean, deviation }) => mean + deviation), 1e-9);
  const share = (value: number) => `${(100 * Math.max(0, value)) / most}%`;
  if (rows.length === 0) return <p class="soft">No model has this figure.</p>;
  return (
    <table class="chart">
      <caption class="unseen">{metricLabel(metric)} by model</caption>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col" colSpan={2}>
            {metricLabel(metric)}
          </th>
          <th scope="col" class="wide">
            Fit
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, mean, deviation, seconds }) => (
          <tr key={name} class={name === model ? 'own' : ''}>
            <th scope="row">
              {name}
              {name === model && <small> in service</small>}
            </th>
            <td class="bar-cell">
              <span class="bar for" style={{ left: '0', width: share(mean) }} />
              {deviation > 0 && (
                <span class="whisker" style={{ left: share(mean - deviation), width: share(2 * deviation) }} />
              )}
            </td>
            <td class="amount">
              {mean.toFixed(4)}
              {deviation > 0 && <small> ± {deviation.toFixed(4)}</small>}
            </td>
            <td class="amount wide">
              {seconds === undefined ? '' : `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function spreadOf(result: Result, metric: string, group: string): Spread | undefined {
  const metrics = group === '' ? result.metrics : result.groups.find((one) => one.group === group)?.metrics;
  return metrics?.[metric];
}

function groupLabel(group: string): string {
  return group === 'cold' ? 'without a training tag' : `with ${group} training tags`;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  choose(value: string): void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <label class="choose">
      {label}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
