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
  instead: 'handle it, or return a text that says why it may fail: `.catch(() => "the look was given up")`',
  looksAt: everywhere,
  find: nodesWhere((node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
    const { property } = node.callee;
    const isCatch = property.type === 'Identifier' && property.name === 'catch';
    return isCatch && node.arguments[0] && doesNothing(node.arguments[0])
      ? 'a .catch that says nothing'
      : undefined;
  }),
  bad: ['await a().catch(() => {});', 'await a().catch(() => undefined);', 'void a().catch(function () {});'],
  good: [
    "await a().catch(absentOn('ENOENT'));",
    "await a().catch(() => 'gone already');",
    'await a().catch(() => []);',
  ],
};

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
