// The page of the library: every export of the four entries of the package, from the declarations that are published with it.
// @ts-check

import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ENTRIES = {
  tagloom: 'tagloom',
  'tagloom/browser': 'browser',
  'tagloom/service': 'service',
  'tagloom/client': 'client',
};
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const KINDS = [
  ['Functions', (/** @type {ts.Declaration} */ one) => ts.isFunctionDeclaration(one)],
  ['Classes', (/** @type {ts.Declaration} */ one) => ts.isClassDeclaration(one)],
  ['Constants', (/** @type {ts.Declaration} */ one) => ts.isVariableDeclaration(one)],
  ['Types', (/** @type {ts.Declaration} */ one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)],
];
/** Generated from the OpenAPI document; the page of the HTTP API has them. */
const LEFT_OUT = new Set(['paths', 'operations', 'components']);

/** @returns {string} Markdown */
export function libraryPart() {
  const files = Object.values(ENTRIES).map((entry) => `${DIST}${entry}.d.ts`);
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const shown = new Set();
  return Object.entries(ENTRIES)
    .map(([name, file], i) => {
      const source = program.getSourceFile(files[i]);
      if (source === undefined) throw new Error(`found no ${file}.d.ts in dist/, expected the built package`);
      const symbols = checker.getExportsOfModule(/** @type {ts.Symbol} */ (checker.getSymbolAtLocation(source)));
      const own = symbols
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
        .filter((symbol) => !LEFT_OUT.has(symbol.name) && !(name === 'tagloom/browser' ? shown.has(symbol) : false));
      for (const symbol of own) shown.add(symbol);
      const intro = name === 'tagloom/browser' ? browserIntro(symbols) : '';
      return `## ${name}\n\n${intro}${own.length === 0 ? '' : kinds(own)}`;
    })
    .join('\n');
}

/** @param {readonly ts.Symbol[]} symbols */
function browserIntro(symbols) {
  const names = symbols
    .map(({ name }) => name)
    .filter((name) => /^[a-z]/.test(name) || name === 'Recommender' || name === 'MODELS');
  return `The part of \`tagloom\` that needs nothing of Node: ${names
    .sort()
    .map((name) => `[\`${name}\`](#${name.toLowerCase()})`)
    .join(', ')}, and their types.\n`;
}

/** @param {readonly ts.Symbol[]} symbols */
function kinds(symbols) {
  return KINDS.map(([title, isOf]) => {
    const own = symbols.filter(({ declarations }) => declarations?.some((one) => /** @type {any} */ (isOf)(one)));
    own.sort((a, b) => (a.name < b.name ? -1 : 1));
    return own.length === 0 ? '' : `### ${title}\n\n${own.map(part).join('\n')}`;
  }).join('\n');
}

/** @param {ts.Symbol} symbol */
function part(symbol) {
  const declarations = symbol.declarations ?? [];
  const code = declarations.map(declared).join('\n');
  const examples = symbol.getJsDocTags().filter(({ name }) => name === 'example');
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(undefined));
  return [
    `#### ${symbol.name}`,
    escapedProse(comment),
    `\`\`\`ts\n${code}\n\`\`\``,
    ...examples.map(({ text }) => `\`\`\`js\n${ts.displayPartsToString(text)}\n\`\`\``),
  ]
    .filter((one) => one !== '')
    .join('\n\n')
    .concat('\n');
}

/** @param {ts.Declaration} node */
function declared(node) {
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return whole
    .getText()
    .replace(/^export (declare )?/, '')
    .replace(/^\s*#private;\n/m, '')
    .replace(/^\s*private .*\n/gm, '')
    .replaceAll(/^ {4}/gm, '  ');
}

/** Comments are plain text: what looks like a tag is not one. @param {string} text */
function escapedProse(text) {
  return text.replaceAll('<', '&lt;').replaceAll('{@link ', '').replaceAll('*', '\\*');
}
