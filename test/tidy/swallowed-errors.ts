/** Errors that vanish, tests that do not run, and state that outlives its owner. */
import type { AnyNode } from 'acorn';
import { dottedName, inSource, nodesWhere, type TidyRule } from './rule.ts';

const everywhere = (): boolean => true;

const emptyCatch: TidyRule = {
  name: 'empty catch',
  instead: 'handle it, name the error codes that may pass (`absentOn`), or return what the failure means',
  looksAt: everywhere,
  find: nodesWhere((node) =>
    node.type === 'CatchClause' && node.body.body.length === 0 ? 'an empty catch block' : undefined,
  ),
  bad: ['try { a(); } catch {}', 'try { a(); } catch (error) { /* never mind */ }'],
  good: ["export function read() { try { return a(); } catch { return ''; } }"],
};

const swallowingCatch: TidyRule = {
  name: 'swallowing .catch',
  instead:
    'handle it, or say at the end of the line why it may fail: `.catch(() => undefined); // it is gone already`',
  looksAt: everywhere,
  find: (source) =>
    nodesWhere((node, around) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
      const { property } = node.callee;
      const [handler] = node.arguments;
      if (property.type !== 'Identifier' || property.name !== 'catch' || !handler) return undefined;
      if (isText(handler) && isStatement(around)) return 'a .catch with a reason as its value';
      const isExplained = / \/\/ \S/.test(/.*/.exec(source.text.slice(handler.end))?.[0] ?? '');
      return doesNothing(handler) && !isExplained ? 'a .catch that says nothing' : undefined;
    })(source),
  bad: [
    'await a().catch(() => {});',
    'await a().catch(() => undefined);',
    'void a().catch(function () {});',
    "await a().catch(() => 'gone already');",
  ],
  good: [
    "await a().catch(absentOn('ENOENT'));",
    'await a().catch(() => undefined); // gone already',
    'await a().catch(() => []);',
    "const b = await a().catch(() => 'none');",
  ],
};

function isText(handler: AnyNode): boolean {
  return (
    handler.type === 'ArrowFunctionExpression' &&
    handler.body.type === 'Literal' &&
    typeof handler.body.value === 'string'
  );
}

function isStatement(around: readonly AnyNode[]): boolean {
  const outer = around.findLast(({ type }) => !/^(?:Await|Unary|Chain)Expression$/.test(type));
  return outer?.type === 'ExpressionStatement';
}

function doesNothing(handler: AnyNode): boolean {
  if (handler.type !== 'ArrowFunctionExpression' && handler.type !== 'FunctionExpression') return false;
  const { body } = handler;
  if (body.type === 'BlockStatement') return body.body.length === 0;
  return (
    dottedName(body) === 'undefined' || (body.type === 'UnaryExpression' && body.argument.type === 'Literal')
  );
}

const sleepingTests = ['only', 'skip', 'todo', 'skipIf', 'runIf'];

const sleepingTest: TidyRule = {
  name: 'sleeping test',
  instead: "remove it, or call `needs('docker')` inside the test, which says why it cannot run here",
  looksAt: everywhere,
  find: nodesWhere((node) => {
    const [head, ...rest] = (dottedName(node) ?? '').split('.');
    const isTest = head === 'test' || head === 'it' || head === 'describe';
    return isTest && sleepingTests.includes(rest.at(-1) ?? '') ? dottedName(node) : undefined;
  }),
  bad: [
    'test.only("a", () => {});',
    'describe.skip("a", () => {});',
    'it.todo("a");',
    'test.skipIf(true)("a", b);',
  ],
  good: ['test("only", () => {});', 'test.each([1])("a", () => {});'],
};

const moduleState: TidyRule = {
  name: 'module-level state',
  instead: 'an object that is made once and passed on',
  looksAt: inSource,
  find: nodesWhere((node, around) =>
    node.type === 'VariableDeclaration' &&
    node.kind !== 'const' &&
    around.every(({ type }) => /^Program|^Export/.test(type))
      ? `a module-level \`${node.kind}\``
      : undefined,
  ),
  bad: ['let count = 0;', 'export let count = 0;'],
  good: ['export function a() { let count = 0; return count; }', 'for (let i = 0; i < 2; i += 1) a(i);'],
};

export const quietFaults: readonly TidyRule[] = [emptyCatch, swallowingCatch, sleepingTest, moduleState];
