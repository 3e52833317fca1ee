/** Finds the object literal that a config module exports, and the position of every key and value in it. */
import type {
  CallExpression,
  Expression,
  ModuleDeclaration,
  Property,
  SpreadElement,
  Statement,
} from 'acorn';
import { defined } from '../../kernel/defined.ts';
import type { SourceNode, Span } from './config-source.ts';
import { parseJavaScript } from './parse-javascript.ts';

type Children = ReadonlyMap<string, SourceNode>;
type Scope = ReadonlyMap<string, Expression>;

const none: Children = new Map();
/** Our functions that return their argument. */
const transparent = new Set(['defineSystem', 'postgres', 'redis', 'model']);
const maxDepth = 60;

/** Undefined when the text cannot be read this way; problems then point at the top of the file. */
export function moduleSourceNode(javascript: string): SourceNode | undefined {
  const { statements } = parseJavaScript(javascript);
  const exported = statements.find((statement) => statement.type === 'ExportDefaultDeclaration');
  if (exported?.type !== 'ExportDefaultDeclaration' || !isExpression(exported.declaration)) return undefined;
  return describe(exported.declaration, topLevelConstants(statements), undefined, 0);
}

/** The n-th argument of the call whose callee is at this offset, anywhere in the module; undefined when not found. */
export function argumentSourceNode(
  javascript: string,
  offset: number,
  index: number,
): SourceNode | undefined {
  const { statements } = parseJavaScript(javascript);
  const call = statements.map((statement) => callAt(statement, offset)).find((found) => found !== undefined);
  const argument = call?.arguments[index];
  if (!argument || argument.type === 'SpreadElement') return undefined;
  return describe(argument, topLevelConstants(statements), undefined, 0);
}

/** The innermost of nested calls. */
function callAt(node: object, offset: number): CallExpression | undefined {
  const { type, start, end } = node as { type?: string; start: number; end: number };
  if (type !== undefined && (offset < start || offset >= end)) return undefined;
  for (const part of Object.values(node)) {
    const found = typeof part === 'object' && part !== null ? callAt(part, offset) : undefined;
    if (found) return found;
  }
  if (type !== 'CallExpression') return undefined;
  const call = node as CallExpression;
  return offset < call.callee.end ? call : undefined;
}

function isExpression(node: { readonly type: string }): node is Expression {
  return node.type !== 'FunctionDeclaration' && node.type !== 'ClassDeclaration';
}

function topLevelConstants(statements: readonly (Statement | ModuleDeclaration)[]): Scope {
  const scope = new Map<string, Expression>();
  for (const statement of statements) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init) scope.set(id.name, init);
    }
  }
  return scope;
}

function describe(expression: Expression, scope: Scope, key: Span | undefined, depth: number): SourceNode {
  const named = expression.type === 'Identifier' ? scope.get(expression.name) : undefined;
  if (named && depth < maxDepth) return { ...describe(named, scope, key, depth + 1) };
  return defined({ key, value: spanOf(expression), children: childrenOf(expression, scope, depth) });
}

function childrenOf(expression: Expression, scope: Scope, depth: number): Children {
  if (depth >= maxDepth) return none;
  switch (expression.type) {
    case 'Identifier': {
      const named = scope.get(expression.name);
      return named ? childrenOf(named, scope, depth + 1) : none;
    }
    case 'CallExpression': {
      const [first] = expression.arguments;
      const isOurs = expression.callee.type === 'Identifier' && transparent.has(expression.callee.name);
      return isOurs && first && first.type !== 'SpreadElement' ? childrenOf(first, scope, depth + 1) : none;
    }
    case 'ObjectExpression':
      return new Map(
        expression.properties.flatMap((property) => describeProperty(property, scope, depth + 1)),
      );
    case 'ArrayExpression':
      return describeElements(expression.elements, scope, depth + 1);
    default:
      return none;
  }
}

function describeProperty(
  property: Property | SpreadElement,
  scope: Scope,
  depth: number,
): [string, SourceNode][] {
  if (property.type === 'SpreadElement') return [...childrenOf(property.argument, scope, depth)];
  const name = propertyName(property);
  return name === undefined ? [] : [[name, describe(property.value, scope, spanOf(property.key), depth)]];
}

function propertyName({ key, computed }: Property): string | undefined {
  if (key.type === 'Literal') return String(key.value);
  return key.type === 'Identifier' && !computed ? key.name : undefined;
}

/** After a spread it is unknown which element is the n-th. */
function describeElements(
  elements: readonly (Expression | SpreadElement | null)[],
  scope: Scope,
  depth: number,
): Children {
  const children = new Map<string, SourceNode>();
  for (const [index, element] of elements.entries()) {
    if (element?.type === 'SpreadElement') break;
    if (element) children.set(String(index), describe(element, scope, undefined, depth));
  }
  return children;
}

function spanOf(node: { readonly start: number; readonly end: number }): Span {
  return { start: node.start, end: node.end };
}
