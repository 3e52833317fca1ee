/** A TypeScript file as data: its syntax tree, its types apart from its values, and the line of every position. */
import module from 'node:module';
import { type AnyNode, type Program, parse } from 'acorn';
import { parseSync } from 'rolldown/utils';

export interface TypeScriptSource {
  readonly file: string;
  readonly text: string;
  readonly lineCount: number;
  /** Of the values alone: types are erased, and every position is kept. */
  readonly program: Program;
  /** The types alone, without comments; everything else is blank. */
  readonly types: string;
  lineAt(offset: number): number;
}

export function parseSource(file: string, text: string): TypeScriptSource {
  if (file.endsWith('.tsx')) return parseMarkup(file, text);
  const values = module.stripTypeScriptTypes(text, { mode: 'strip' });
  const program = parse(values, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  return {
    file,
    text,
    program,
    types: typesOf(text, values),
    ...linesOf(text),
  };
}

function linesOf(text: string): Pick<TypeScriptSource, 'lineCount' | 'lineAt'> {
  return {
    lineCount: text.replace(/\n$/, '').split('\n').length,
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
  };
}

/** What Node does not erase: the nodes of types stay in the tree, and imports of nothing but types are taken out. */
function parseMarkup(file: string, text: string): TypeScriptSource {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const tree = program as unknown as Program;
  const values = text.split('');
  const erase = (start: number, end: number): void => void values.fill(' ', start, end);
  walk(tree, (node) => {
    const { expression } = node as { readonly expression?: AnyNode };
    const isType =
      isTypesOnly(node) || /^TS(?!AsExpression|NonNullExpression|SatisfiesExpression)/.test(node.type);
    if (isType) erase(node.start, node.end);
    else if (node.type.startsWith('TS') && expression) erase(expression.end, node.end);
  });
  const body = tree.body.filter((node) => !isTypesOnly(node));
  return { file, text, program: { ...tree, body }, types: typesOf(text, values.join('')), ...linesOf(text) };
}

function isTypesOnly(node: AnyNode): boolean {
  const { importKind, exportKind } = node as { readonly importKind?: string; readonly exportKind?: string };
  return (
    /^(?:Import|Export)(?:Named|All)?Declaration$/.test(node.type) && (importKind ?? exportKind) === 'type'
  );
}

/** Calls back for every node, with the nodes around it, innermost last. */
export function walk(node: AnyNode, visit: (node: AnyNode, around: readonly AnyNode[]) => void): void {
  const step = (current: AnyNode, around: readonly AnyNode[]): void => {
    visit(current, around);
    const inside = [...around, current];
    for (const value of Object.values(current)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) step(child, inside);
    }
  };
  step(node, []);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** What erasing removed. */
function typesOf(text: string, values: string): string {
  const types = text.split('').map((letter, at) => (letter === values[at] && letter !== '\n' ? ' ' : letter));
  return types
    .join('')
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '));
}
