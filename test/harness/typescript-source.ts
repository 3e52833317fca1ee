/** A TypeScript file as data: its syntax tree, its types apart from its values, and the line of every position. */
import module from 'node:module';
import { type AnyNode, type Program, parse } from 'acorn';

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
  const values = module.stripTypeScriptTypes(text, { mode: 'strip' });
  const program = parse(values, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  return {
    file,
    text,
    lineCount: text.replace(/\n$/, '').split('\n').length,
    program,
    types: typesOf(text, values),
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
  };
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
