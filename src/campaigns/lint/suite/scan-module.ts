/** Parses a module of the suite without running it: its imports, its calls, and their literal arguments. */
import { positionAt } from '../../../kernel/source-position.ts';
import { parseJavaScript } from '../../../system/source/parse-javascript.ts';
import { stripTypes } from '../../../system/source/strip-types.ts';

interface ModuleImport {
  readonly specifier: string;
  /** `default`, `*`, or the imported names; empty for a side-effect import. */
  readonly names: readonly string[];
  readonly line: number;
}

export interface ModuleCall {
  /** `setTimeout`, `vi.mock`, `mcp().call` for a call on the result of another call. */
  readonly callee: string;
  /** `openValue` if the value is computed. */
  readonly args: readonly unknown[];
  /** Of `mcp('files').call('read')`: the arguments of `mcp`. */
  readonly receiver?: readonly unknown[];
  readonly line: number;
}

export type ModuleScan = ReturnType<typeof scanModule>;

/** Types are stripped first: a type-only import does not count. */
export function scanModule(file: string, text: string) {
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

/** Untyped: properties are read by name. */
type AnyNode = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

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

/** `import { setTimeout as pause }`: `pause` here is `setTimeout`. */
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

/** As written, with `()` for each call on the way; empty if it has no name. */
function calleeOf(node: AnyNode): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'CallExpression') return `${calleeOf(node.callee as AnyNode)}()`;
  if (node.type === 'ChainExpression' || node.type === 'AwaitExpression')
    return calleeOf((node.expression ?? node.argument) as AnyNode);
  if (node.type !== 'MemberExpression' || node.computed === true) return '';
  return `${calleeOf(node.object as AnyNode)}.${String((node.property as AnyNode).name)}`;
}

/** Marks a value that is known only at run time. A reference in a trial file is one, too. */
export const openValue: unique symbol = Symbol('open');

function literalOf(node: AnyNode | undefined | null): unknown {
  switch (node?.type) {
    case 'Literal':
      return 'regex' in node ? openValue : node.value;
    case 'TemplateLiteral':
      return templateText(node);
    case 'ArrayExpression':
      return (node.elements as (AnyNode | null)[]).map(literalOf);
    case 'ObjectExpression':
      return objectOf(node);
    default:
      return openValue;
  }
}

/** Whether a value, or a text with a reference in it, is known only at run time. */
export function isOpen(value: unknown): boolean {
  return value === openValue || (typeof value === 'string' && value.includes('${'));
}

function templateText({ quasis, expressions }: AnyNode): unknown {
  const [only] = quasis as { readonly value: { readonly cooked: string } }[];
  return (expressions as unknown[]).length === 0 ? (only?.value.cooked ?? '') : openValue;
}

/** A spread may add any key. */
function objectOf({ properties }: AnyNode): unknown {
  const entries = (properties as AnyNode[]).map((property) => {
    if (property.type !== 'Property' || property.computed === true) return undefined;
    const { name, value } = property.key as AnyNode;
    return [String(name ?? value), literalOf(property.value as AnyNode)] as const;
  });
  if (entries.includes(undefined)) return openValue;
  return Object.fromEntries(entries as [string, unknown][]);
}
