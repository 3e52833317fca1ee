/** Reads a module of the suite without running it: what it imports, what it calls, and with which plain values. */
import { positionAt } from '../../../kernel/source-position.ts';
import { parseJavaScript } from '../../../system/source/parse-javascript.ts';
import { stripTypes } from '../../../system/source/strip-types.ts';
import { literalOf } from './literal-value.ts';

export interface ModuleScan {
  readonly imports: readonly ModuleImport[];
  readonly calls: readonly ModuleCall[];
}

export interface ModuleImport {
  readonly specifier: string;
  /** `default`, `*`, or the names that are taken from it; none where it is only run. */
  readonly names: readonly string[];
  readonly line: number;
}

export interface ModuleCall {
  /** `setTimeout`, `vi.mock`, `mcp().call` for what is called on the result of another call. */
  readonly callee: string;
  /** `openValue` where the value is computed. */
  readonly args: readonly unknown[];
  /** Of `mcp('files').call('read')`: the arguments of `mcp`. */
  readonly receiver?: readonly unknown[];
  readonly line: number;
}

/** Types are gone before it is looked at: an import of types alone is none. */
export function scanModule(file: string, text: string): ModuleScan {
  const javascript = /\.[mc]?ts$/.test(file) ? stripTypes(file, text) : text;
  const imports: ModuleImport[] = [];
  const calls: ModuleCall[] = [];
  const aliases = new Map<string, string>();
  const lineAt = (node: AnyNode): number => positionAt(file, text, node.start).line;
  for (const statement of parseJavaScript(javascript).statements)
    visit(statement as unknown as AnyNode, (node) => {
      const found = importOf(node);
      if (found) imports.push({ ...found, line: lineAt(node) });
      for (const [local, imported] of renamedIn(node)) aliases.set(local, imported);
      if (node.type === 'CallExpression') calls.push({ ...callOf(node), line: lineAt(node) });
    });
  return { imports, calls: calls.map((call) => ({ ...call, callee: asExported(call.callee, aliases) })) };
}

/** Of no kind in particular: what a kind has is asked for by name. */
export type AnyNode = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

function visit(node: AnyNode, see: (node: AnyNode) => void): void {
  if (typeof node.type === 'string') see(node);
  for (const part of Object.values(node))
    if (typeof part === 'object' && part !== null) visit(part as AnyNode, see);
}

function importOf(node: AnyNode): Omit<ModuleImport, 'line'> | undefined {
  const source = node.source as AnyNode | undefined | null;
  if (node.type === 'ImportExpression') return named(literalOf(source), ['*']);
  if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration')
    return named(literalOf(source ?? undefined), specifiersOf(node));
  if (node.type === 'ExportAllDeclaration') return named(literalOf(source), ['*']);
  if (node.type !== 'CallExpression' || calleeOf(node.callee as AnyNode) !== 'require') return undefined;
  return named(literalOf((node.arguments as AnyNode[])[0]), ['*']);
}

function named(specifier: unknown, names: readonly string[]): Omit<ModuleImport, 'line'> | undefined {
  return typeof specifier === 'string' ? { specifier, names } : undefined;
}

function specifiersOf({ specifiers }: AnyNode): readonly string[] {
  return (specifiers as AnyNode[]).map((one) => {
    if (one.type === 'ImportDefaultSpecifier') return 'default';
    const imported = one.imported as AnyNode | undefined;
    return imported === undefined ? '*' : String(imported.name ?? imported.value);
  });
}

/** `import { setTimeout as pause }`: what is called `pause` here is `setTimeout`. */
function renamedIn(node: AnyNode): readonly (readonly [string, string])[] {
  if (node.type !== 'ImportDeclaration') return [];
  return (node.specifiers as AnyNode[]).flatMap(({ local, imported }) => {
    const [here, there] = [local, imported].map((name) => (name as AnyNode | undefined)?.name);
    return typeof here === 'string' && typeof there === 'string' && here !== there
      ? [[here, there] as const]
      : [];
  });
}

function asExported(callee: string, aliases: ReadonlyMap<string, string>): string {
  const [first = '', ...rest] = callee.split('.');
  return [aliases.get(first) ?? first, ...rest].join('.');
}

function callOf(node: AnyNode): Omit<ModuleCall, 'line'> {
  const callee = node.callee as AnyNode;
  const receiver = callee.type === 'MemberExpression' ? (callee.object as AnyNode) : undefined;
  return {
    callee: calleeOf(callee),
    args: (node.arguments as AnyNode[]).map(literalOf),
    ...(receiver?.type === 'CallExpression'
      ? { receiver: (receiver.arguments as AnyNode[]).map(literalOf) }
      : {}),
  };
}

/** As it is written, with `()` for each call on the way; empty for what has no name. */
function calleeOf(node: AnyNode): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'CallExpression') return `${calleeOf(node.callee as AnyNode)}()`;
  if (node.type === 'ChainExpression' || node.type === 'AwaitExpression')
    return calleeOf((node.expression ?? node.argument) as AnyNode);
  if (node.type !== 'MemberExpression' || node.computed === true) return '';
  return `${calleeOf(node.object as AnyNode)}.${String((node.property as AnyNode).name)}`;
}
