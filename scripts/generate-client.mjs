// Writes src/serving/http/client-types.ts: the types of the API, from its OpenAPI document. Run it after the shapes of the API
// changed and were compiled (npm run build); with --check it only says whether the file is up to date.

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { apiDocument } from '../dist/serving/http/build-api.js';

const FILE = new URL('../src/serving/http/client-types.ts', import.meta.url);
const HEAD = `// The types of the API, made from its OpenAPI document by scripts/generate-client.mjs: do not edit.
// biome-ignore-all format: generated, a line for each path, shape and operation
// biome-ignore-all lint: generated

`;

const document = await apiDocument();
const printed = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
const DOCS = {
  paths: 'The paths of the API, by HTTP method.',
  components: 'The shapes of the API.',
  operations: 'The operations of the API, by name.',
};
/** What nearly every operation repeats, named once: a third of the text is left. */
const SHARED = [
  {
    name: 'Failure',
    doc: 'An answer that says what is wrong. The meaning of each status is in the OpenAPI document.',
    pattern:
      /(?:\/\*\* @description [^*]*\*\/ )?(\d{3}): (\{ headers: \{ \[name: string\]: unknown; \}; content: \{ "application\/problem\+json": components\["schemas"\]\["Problem"\]; \}; \});/g,
  },
  {
    name: 'NoParameters',
    doc: 'Of a path or an operation without parameters.',
    pattern: /(parameters): (\{ query\?: never; header\?: never; path\?: never; cookie\?: never; \});/g,
  },
];

const text = HEAD + documented(withShared(oneLineEach(printed)));

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('src/serving/http/client-types.ts is not what the API is: run node scripts/generate-client.mjs');
  process.exitCode = 1;
}

function documented(code) {
  return code.replace(/^export interface (\w+)/gm, (line, name) =>
    DOCS[name] ? `/** ${DOCS[name]} */\n${line}` : line,
  );
}

function withShared(code) {
  let [out, declared] = [code, ''];
  for (const { name, doc, pattern } of SHARED) {
    const [, , body] = pattern.exec(out);
    pattern.lastIndex = 0;
    out = out.replace(pattern, `$1: ${name};`);
    declared += `\n/** ${doc} */\nexport interface ${name} ${body}\n`;
  }
  return out + declared;
}

/** Members of the outermost interfaces (of components: those of their parts) on a line each. */
function oneLineEach(code) {
  const out = [];
  let depth = 0; // of the member that is being joined
  for (const line of code.trimEnd().split('\n')) {
    const indent = line.search(/\S/);
    const isInner = indent > depth && out.length > 0 && depth > 0;
    if (isInner || (depth > 0 && indent === depth && /^\s*[}\]]/.test(line))) out.push(`${out.pop()} ${line.trim()}`);
    else out.push(line.trimEnd());
    if (!isInner) depth = beginsMember(line, indent, out) ? indent : 0;
  }
  return `${out.join('\n').replaceAll('    ', '  ')}\n`;
}

function beginsMember(line, indent, out) {
  if (!line.endsWith('{')) return false;
  const owner = out.findLast((one) => one.startsWith('export interface')) ?? '';
  return indent === (owner.includes('components') ? 8 : 4);
}
