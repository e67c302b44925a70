// The package's entries: every type in a public signature is exported beside it, every export is documented, and every value has
// an example, which is run.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = ['tagloom', 'browser', 'service', 'client'];

const config = ts.getParsedCommandLineOfConfigFile(
  join(ROOT, 'tsconfig.build.json'),
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
);
const program = ts.createProgram(
  ENTRIES.map((entry) => join(ROOT, 'src', `${entry}.ts`)),
  { ...config?.options, noEmit: true },
);
const checker = program.getTypeChecker();

interface Exported {
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly declarations: readonly ts.Declaration[];
  /** Exported as a type alone. */
  readonly isType: boolean;
}

function exportsOf(entry: string): Exported[] {
  const source = program.getSourceFile(join(ROOT, 'src', `${entry}.ts`));
  const module = source && checker.getSymbolAtLocation(source);
  expect(module, `src/${entry}.ts has exports`).toBeDefined();
  return checker.getExportsOfModule(module as ts.Symbol).map((found) => {
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const isType = (found.declarations ?? []).some(
      (one) => ts.isExportSpecifier(one) && ts.isTypeOnlyExportDeclaration(one),
    );
    return { name: found.name, symbol, declarations: symbol.declarations ?? [], isType };
  });
}

const isOurs = (node: ts.Node) => !relative(join(ROOT, 'src'), node.getSourceFile().fileName).startsWith('..');
const isValue = ({ symbol, isType }: Exported) => !isType && (symbol.flags & ts.SymbolFlags.Value) !== 0;

/** Left out of the types that are shipped. */
const isInternal = (node: ts.Node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');

/** Types named in the parts of a declaration that users see: no bodies, nothing private. */
function typesNamedIn(declaration: ts.Node): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isPrivateIdentifier(node) || isInternal(node)) return;
    if (ts.isClassElement(node)) {
      const isPrivate = ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Private;
      if (isPrivate || (node.name && ts.isPrivateIdentifier(node.name))) return;
    }
    const isTyped = ts.isVariableDeclaration(node) && node.type !== undefined;
    if (isTyped || ts.isParameter(node) || ts.isPropertyDeclaration(node)) {
      if (node.type) visit(node.type);
      return;
    }
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const symbol = checker.getSymbolAtLocation(ts.isTypeReferenceNode(node) ? node.typeName : node.expression);
      if (symbol) found.push(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

describe.each(ENTRIES)('the entry %s', (entry) => {
  const exported = exportsOf(entry);

  it('exports every type that its signatures name, or the entry tagloom does', () => {
    const known = new Set([...exported, ...exportsOf('tagloom')].map(({ symbol }) => symbol));
    const missing = exported.flatMap(({ name, declarations }) =>
      declarations.filter(isOurs).flatMap((declaration) =>
        typesNamedIn(declaration)
          .filter((symbol) => symbol.declarations?.some((one) => isOurs(one) && !ts.isTypeParameterDeclaration(one)))
          .filter((symbol) => !known.has(symbol))
          .map((symbol) => `${symbol.name}, in ${name}`),
      ),
    );
    expect([...new Set(missing)].sort()).toEqual([]);
  });

  it('says of every export what it is', () => {
    const silent = exported.filter(({ symbol }) => symbol.getDocumentationComment(checker).length === 0);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('has an example of everything that can be called or used', () => {
    const without = exported.filter(isValue).filter((one) => examplesOf(one).length !== 1);
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

function examplesOf({ symbol }: Exported): string[] {
  return symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === 'example')
    .map(({ text }) => (text ?? []).map((part) => part.text).join(''));
}

describe('the examples', () => {
  const folder = join(ROOT, 'dist', `examples-${process.pid}`); // inside the package, so that its name is known there
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('run as they are, and print what they say', () => {
    const examples = new Map<string, string>();
    for (const entry of ENTRIES) {
      for (const one of exportsOf(entry).filter(isValue)) {
        for (const [i, text] of examplesOf(one).entries()) examples.set(`${one.name}-${i}`, text);
      }
    }
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of examples) writeFileSync(join(folder, `${name}.mjs`), text);
    writeFileSync(join(folder, 'all.mjs'), runnerOf([...examples.keys()]));
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'all.mjs')], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const printed = new Map<string, string[]>();
    for (const line of stdout.trim().split('\n')) {
      const [name, text] = JSON.parse(line) as [string, string];
      printed.set(name, [...(printed.get(name) ?? []), text]);
    }
    const expected = new Map([...examples].map(([name, text]) => [name, promised(text)]));
    expect(Object.fromEntries(printed)).toEqual(
      Object.fromEntries([...expected].filter(([, lines]) => lines.length > 0)),
    );
  }, 60_000);
});

/** What an example says it prints: the comments behind console.log. */
function promised(example: string): string[] {
  return [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
}

/** Runs one example after the other in one process; each line printed is told with the example's name. */
function runnerOf(names: readonly string[]): string {
  return `import { inspect } from 'node:util';
const write = process.stdout.write.bind(process.stdout);
console.warn = () => {}; // some show how warnings are heard
for (const name of ${JSON.stringify(names)}) {
  const show = (one) => (typeof one === 'string' ? one : inspect(one, { breakLength: Infinity }));
  console.log = (...args) => write(JSON.stringify([name, args.map(show).join(' ')]) + '\\n');
  await import('./' + name + '.mjs');
}
`;
}
