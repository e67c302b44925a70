// npm run reproduce -- [DATA] [--seeds 3] [--output research/out] [--only main|fractions] [--models a,b] [--backend gpu]: runs the
// paper's evaluation and writes its tables into docs/results/paper.md. DATA holds the folders lastfm, movielens-1m and steam (or some of
// them); data/npm is always among them.
// Finished cells are kept in the output folder, so a stopped run goes on; the report with all figures lies beside them. With
// --models only these are fitted and no table is written: several processes or machines can share the work and the folder.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MODELS } from '../dist/models/catalogue.js';
import { examplesTable, fillIn, fractionsTable, groupsTable, mainTable } from './results-tables.mjs';

const PUBLISHED = ['lastfm', 'movielens-1m', 'steam'];
const SETTINGS = 'research/settings.json';
const PAPER = 'research/paper.json';
const RESULTS = 'docs/results/paper.md';
const FRACTIONS = '0.2,0.4,0.6,0.8';
/** What the smaller shares are shown for: the paper's strongest, and ours. */
const FRACTION_MODELS = ['popularity', 'itemknn', 'ease', 'mf', 'mad', 'hetelearn', 'dge', 'loom'];
const EXAMPLE_MODELS = ['hetelearn', 'dge', 'ease', 'loom'];
const ABLATION = ['dge', 'so-ge', 'st-ge'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '3' },
    output: { type: 'string', short: 'o', default: 'research/out' },
    only: { type: 'string' },
    models: { type: 'string' },
    backend: { type: 'string' },
  },
});

if (values.only !== undefined && !['main', 'fractions'].includes(values.only)) {
  process.stderr.write(`tagloom: got --only ${values.only}, expected main or fractions\n`);
  process.exit(1);
}
const folders = ['data/npm'];
for (const name of positionals.length === 0 ? [] : PUBLISHED) {
  const folder = join(positionals[0], name);
  if (existsSync(folder)) folders.push(folder);
  else process.stderr.write(`tagloom: no ${folder}: its tables stay as they are\n`);
}
mkdirSync(values.output, { recursive: true });

const shared = values.models?.split(',');
const isWanted = (model) => shared === undefined || shared.includes(model);
const all = Object.keys(MODELS).filter(isWanted);
const fractionModels = FRACTION_MODELS.filter(isWanted);
const report = join(values.output, shared === undefined ? 'report.html' : `report-${shared.join('-')}.html`);
const paper = JSON.parse(readFileSync(PAPER, 'utf8'));
const tables = [];
if (values.only !== 'fractions') {
  const { models, examples } = await compare(all, ['--seeds', values.seeds, '--report', report, '--paper', PAPER]);
  if (shared === undefined) tables.push(...mainTables(models, examples));
}
if (values.only !== 'main' && fractionModels.length > 0) {
  const { models } = await compare(fractionModels, ['--seeds', '1', '--train-fractions', FRACTIONS]);
  if (shared === undefined) tables.push(...fractionTables(models));
}
if (shared !== undefined) process.exit();
// read only now: hours may have passed
const results = tables.reduce((text, [name, table]) => fillIn(text, name, table), readFileSync(RESULTS, 'utf8'));
writeFileSync(RESULTS, results);
await run('node', ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', RESULTS]);
process.stderr.write(`tagloom: ${RESULTS} has the tables, ${report} the figures\n`);

function mainTables(models, examples) {
  return dataOf(models).flatMap((data) => {
    const own = models.filter((one) => one.data === data);
    const shown = examples.filter((one) => one.data === data && EXAMPLE_MODELS.includes(one.model));
    const ablation = own.filter((one) => ABLATION.includes(one.model));
    return [
      [`main ${data}`, mainTable(own, paper)],
      [`groups ${data}`, groupsTable(own)],
      [`ablation ${data}`, mainTable(ablation, paper)],
      [`examples ${data}`, examplesTable(shown)],
    ];
  });
}

function fractionTables(models) {
  return dataOf(models).map((data) => [`fractions ${data}`, fractionsTable(models.filter((one) => one.data === data))]);
}

function dataOf(models) {
  return [...new Set(models.map((one) => one.data))];
}

async function compare(models, more) {
  const cells = join(values.output, 'cells');
  const given = ['--models', models.join(','), '--config', SETTINGS, '-o', cells, ...more, '--json'];
  if (values.backend !== undefined) given.push('--backend', values.backend);
  return JSON.parse(await run('node', ['dist/cli.js', 'compare', ...folders, ...given]));
}

/** What the command says on standard output; its progress is shown. */
function run(command, parameters) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('close', (code) => (code === 0 ? resolve(text) : process.exit(code ?? 130)));
  });
}
