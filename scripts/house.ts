/** `npm run house`: how the source is built, measured from its syntax; the last line is one JSON object. */
import path from 'node:path';
import type { AnyNode } from 'acorn';
import { findImportCycles, importGraph } from '../test/boundaries/find-import-cycles.ts';
import { projectFiles, readProjectFile } from '../test/harness/project-files.ts';
import { parseSource, type TypeScriptSource, walk } from '../test/harness/typescript-source.ts';
import { sizeFigures } from '../test/tidy/sizes.ts';

/** Of steps and checks; each has, or is to have, a folder in `src/kinds`. */
const kinds = 'http tcp mcp command rows files logs events process spans calls changes'.split(' ');

/** Tables of other things, in which a word that is also the key of a kind is a key with another meaning. */
const otherTables = [
  { file: 'src/system/document/ready-probes.ts', table: 'readyProbes' },
  { file: 'src/cli/verbs.ts', table: 'loaders' },
];

const proseNames = /^(?:because|why|reason|explanation|message|what|says)$/;

const files = new Map(
  projectFiles('src')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readProjectFile(file)]),
);
const sources = [...files].map(([file, text]) => parseSource(file, text));
const { median, p95 } = sizeFigures(sources);
const linesOf = (some: readonly TypeScriptSource[]): number =>
  some.reduce((sum, { lineCount }) => sum + lineCount, 0);
const mutual = mutualFolders();
const holders = kinds.flatMap(holdersOf);
/** Messages of others, which have no code: Node, its parsers, and libraries. */
const messagesOfOthers: Readonly<Record<string, string>> = {
  'src/drivers/http/http-error.ts': 'undici: what its parser met reaches us as a message only',
  'src/environment/processes/world-problem.ts': 'Node: which call failed is in the message of a system error',
  'src/kernel/parser-fault.ts': 'V8: the position in JSON is in the message only',
  'src/system/source/import-problems.ts': 'Node: the missing export of a module is named in the message only',
  'src/system/source/strip-types.ts':
    'Node: what cannot be erased from TypeScript is named in the message only',
  'src/system/source/yaml-document.ts': 'yaml: an unclosed bracket has the code of other faults, too',
};
const matchedTexts = sources.flatMap(proseMatches);
const regexes = matchedTexts.filter((place) => !isOfOthers(place));

const [, most = []] = holders.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
if (process.argv.includes('--list')) {
  for (const pair of mutual) console.log(`mutual  ${pair}`);
  for (const [kind, found] of holders)
    console.log(`kind    ${kind}: ${found.length}\n${found.map((file) => `          ${file}`).join('\n')}`);
  for (const { file, table } of otherTables)
    console.log(`other   ${table}: ${keysOfTable(file, table).filter(isKind).join(', ')}`);
  for (const place of regexes) console.log(`prose   ${place}`);
  for (const place of matchedTexts.filter(isOfOthers))
    console.log(`others  ${place}: ${messagesOfOthers[place.replace(/:\d+$/, '')]}`);
}
console.log(
  JSON.stringify({
    files: files.size,
    lines: linesOf(sources),
    medianFile: median,
    p95File: p95,
    valueCycles: findImportCycles(files).length,
    mutualFolders: mutual.length,
    cliLines: linesOf(sources.filter(({ file }) => file.startsWith('src/cli/'))),
    filesToTouchForADriver: most.length,
    ourProseRegexes: regexes.length,
  }),
);

/** A word that is a kind of steps and one of checks is two kinds, each with tables of its own. */
function holdersOf(kind: string): ReadonlyArray<readonly [string, readonly string[]]> {
  const found = filesWithKey(kind);
  const ofChecks = found.filter((file) => /\/check-(?:kinds|table)\.ts$/.test(file));
  const ofSteps = found.filter((file) => /\/step-(?:kinds|table)\.ts$/.test(file));
  if (ofChecks.length === 0 || ofSteps.length === 0) return [[kind, found]];
  const others = found.filter((file) => !ofChecks.includes(file) && !ofSteps.includes(file));
  return [
    [`${kind} (check)`, [...ofChecks, ...others]],
    [`${kind} (step)`, [...ofSteps, ...others]],
  ];
}

/** Pairs of folders that import values of each other. */
function mutualFolders(): readonly string[] {
  const edges = new Set<string>();
  for (const [file, imports] of importGraph(files))
    for (const other of imports) edges.add(`${path.posix.dirname(file)} ${path.posix.dirname(other)}`);
  return [...edges]
    .map((edge) => edge.split(' ') as [string, string])
    .filter(([from, to]) => from < to && edges.has(`${to} ${from}`))
    .map(([from, to]) => `${from} <-> ${to}`);
}

/**
 * Files beside the kind's own folders that know its key: compared with a kind, in a list of kinds, or as a key of a table of kinds.
 * `http` as a scheme and `events` of a stream are other things.
 */
function filesWithKey(kind: string): readonly string[] {
  const own = ['kinds', 'drivers', 'observers'].map((room) => `src/${room}/${kind}/`);
  return sources
    .filter(({ file }) => !own.some((folder) => file.startsWith(folder)))
    .filter(({ file, program }) => {
      const other = otherTables.find((one) => one.file === file);
      let holds = false;
      walk(program, (node) => {
        holds ||= knowsKind(node, kind) && !(other && isTable(node, program, other.table));
      });
      return holds;
    })
    .map(({ file }) => file);
}

function knowsKind(node: AnyNode, kind: string): boolean {
  if (node.type === 'BinaryExpression')
    return (
      [node.left, node.right].some((one) => textOf(one) === kind) && [node.left, node.right].some(isKindName)
    );
  if (node.type === 'ArrayExpression')
    return node.elements.some((one) => textOf(one) === kind) && kindsAmong(node.elements.map(textOf)) >= 2;
  if (node.type !== 'ObjectExpression') return false;
  const keys = node.properties.map((one) =>
    one.type === 'Property' && !one.shorthand && one.key.type === 'Identifier' ? one.key.name : undefined,
  );
  return keys.includes(kind) && kindsAmong(keys) >= 3;
}

function isTable(node: AnyNode, program: AnyNode, name: string): boolean {
  let is = false;
  walk(program, (one) => {
    if (one.type === 'VariableDeclarator' && one.id.type === 'Identifier' && one.id.name === name)
      is ||= one.init === node;
  });
  return is;
}

function keysOfTable(file: string, table: string): readonly string[] {
  const program = sources.find((one) => one.file === file)?.program;
  const keys: string[] = [];
  if (program)
    walk(program, (node) => {
      if (node.type !== 'ObjectExpression' || !isTable(node, program, table)) return;
      for (const one of node.properties)
        if (one.type === 'Property' && one.key.type === 'Identifier') keys.push(one.key.name);
    });
  return keys;
}

function isKind(key: string): boolean {
  return kinds.includes(key);
}

function textOf(node: AnyNode | null): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function isKindName(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return isKindName(node.property);
  return node.type === 'Identifier' && /^(?:kind|key|observer|driver|observed)$/i.test(node.name);
}

function kindsAmong(keys: readonly (string | undefined)[]): number {
  return new Set(keys.filter((key) => key !== undefined && kinds.includes(key))).size;
}

/** Decisions by the wording of a message: `test`, `match`, `startsWith`, `includes` over a reason, a message or an explanation. */
function proseMatches({ program, file, lineAt }: TypeScriptSource): readonly string[] {
  const found: string[] = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const { object, property } = node.callee;
    const method = property.type === 'Identifier' ? property.name : '';
    if (!/^(?:test|exec|match|matchAll|startsWith|endsWith|includes|indexOf|search)$/.test(method)) return;
    const isRegex = method === 'test' || method === 'exec';
    const over = isRegex ? node.arguments[0] : object;
    if (over && isProse(over as AnyNode)) found.push(`${file}:${lineAt(node.start)}`);
  });
  return found;
}

function isOfOthers(place: string): boolean {
  return Object.hasOwn(messagesOfOthers, place.replace(/:\d+$/, ''));
}

function isProse(node: AnyNode): boolean {
  if (node.type === 'Identifier') return proseNames.test(node.name);
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier')
    return proseNames.test(node.property.name);
  if (node.type === 'ChainExpression') return isProse(node.expression);
  return false;
}
