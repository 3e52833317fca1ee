/** Rules on the code of a suite: it goes through the boundaries of the system, replaces nothing, and does not sleep. */
import type { Found, Rule } from '../rule.ts';
import type { Suite } from './suite.ts';
import type { SuiteCommand, SuiteScript } from './suite-commands.ts';
import { inModule, type SuiteModule } from './suite-modules.ts';
import { databaseClients } from './write-words.ts';

export const moduleRules: readonly Rule<Suite>[] = [
  {
    kind: 'product-import',
    level: 'finding',
    why: 'code that runs inside a trial is not the deployed system: it can be right here and wrong there',
    find: ({ modules, allowances }) =>
      modules.flatMap((module) =>
        module.outside
          // Mock libraries and database clients have findings of their own.
          .filter(({ specifier }) => !findMockLibrary(specifier) && !databaseClients.includes(specifier))
          .filter((one) => !allowances.allow('imports', one.module))
          .map(({ specifier, line, module: name }) => ({
            ...inModule(module, line),
            text: `it imports ${JSON.stringify(specifier)}, which belongs neither to the suite nor to Node`,
            next: `go through a boundary instead (http, mcp, command …), use \`import type\` if only types are needed, or allow it: suite: { imports: { allow: [${name}], because: … } }`,
          })),
      ),
  },
  {
    kind: 'mock',
    level: 'finding',
    why: 'a part that is replaced inside a program was not tested, and its mock answers whatever the trial expects',
    next: 'play the peer on the wire: a resource of the kind `model` or `http`, with its `because`; or disturb the edge with `disturb`',
    find: ({ modules, scripts }) => [...modules.flatMap(mocksInModule), ...scripts.flatMap(mockInScript)],
  },
  {
    kind: 'sleep',
    level: 'finding',
    why: 'a fixed wait is too short on a slow machine, too long on a fast one, and does not say what is waited for',
    find: ({ modules, commands, allowances }) =>
      [...modules.flatMap(sleepsInModule), ...commands.flatMap(sleepInCommand)].filter(
        ({ file }) => !allowances.allow('sleeps', file),
      ),
  },
];

function mocksInModule(module: SuiteModule): readonly Found[] {
  const { imports, calls } = module.scan;
  const isMock = ({ specifier, names }: (typeof imports)[number]): boolean =>
    findMockLibrary(specifier) !== undefined || (specifier === 'node:test' && names.includes('mock'));
  return [
    ...imports
      .filter(isMock)
      .map(({ specifier, line }) => ({ line, text: `it imports ${JSON.stringify(specifier)}` })),
    ...calls
      .filter(({ callee }) => mockCalls.test(callee))
      .map(({ callee, line }) => ({ line, text: `it calls \`${callee}\`` })),
  ].map(({ line, text }) => ({ ...inModule(module, line), text }));
}

/** A library is reported once per script, at its first line. */
function mockInScript({ place, text }: SuiteScript): readonly Found[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => !isComment(line) && mockLines.some((words) => words.test(line)));
  if (at < 0) return [];
  const shown = (lines[at] ?? '').trim().slice(0, 120);
  return [{ ...place, line: at + 1, text: `the script replaces a part of a program: \`${shown}\`` }];
}

function isComment(line: string): boolean {
  return /^\s*(?:#|\/\/|--|\*|\/\*)/.test(line);
}

const sleepingCalls =
  /^(?:.*\.)?(?:setTimeout|sleep|usleep|sleepSync|scheduler\.wait|Atomics\.wait|Bun\.sleep|Deno\.sleep)$/;

function sleepsInModule(module: SuiteModule): readonly Found[] {
  return module.scan.calls
    .filter(({ callee }) => sleepingCalls.test(callee))
    .map(({ callee, line }) => ({
      ...inModule(module, line),
      text: `it waits for a fixed time, with \`${callee}\``,
      next: 'wait for the condition itself: `rows(…).until(…)`, `calls(…).until(…)`, `quiet()`, or a check with `within`',
    }));
}

const sleepingText =
  /(?:^|[\s;&|('"`{])sleep\s+["']?(?:\d|\.\d|\$)|\btime\.sleep\s*\(|\bStart-Sleep\b|\bsetTimeout\s*\(|\busleep\s+\d/;

/** A background program does not delay the trial. */
function sleepInCommand({ place, argv, text, stays }: SuiteCommand): readonly Found[] {
  const [program = ''] = argv;
  if (stays || !(/(?:^|\/)sleep$/.test(program) || sleepingText.test(text))) return [];
  return [
    {
      ...place,
      text: `the step waits for a fixed time: \`${argv.join(' ').slice(0, 100)}\``,
      next: 'wait for the condition itself: an `until:` step, `when:` on the next step, `quiet: true`, or a check with `within`',
    },
  ];
}

/** Packages whose only use is mocking. */
const libraries = [
  ...['sinon', 'nock', 'msw', 'testdouble', 'proxyquire', 'rewire', 'mockery', 'jest-mock', 'fetch-mock'],
  ...['axios-mock-adapter', 'mock-fs', 'mock-require', 'ts-mockito', 'esmock'],
];

/** `msw/node` is a part of `msw`, `@sinonjs/fake-timers` of `sinon`. */
function findMockLibrary(specifier: string): string | undefined {
  if (specifier.startsWith('@sinonjs/')) return 'sinon';
  return libraries.find((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** Calls that replace a part: `vi.mock('../src/clock.ts')`. */
const mockCalls =
  /^(?:vi|jest)\.(?:mock|doMock|unstable_mockModule|spyOn|fn|stubGlobal|stubEnv|useFakeTimers|setSystemTime)$|^sinon\.|^(?:t|test|context)?\.?mock\.(?:method|fn|getter|setter|module|timers)\b|^td\.(?:replace|when)$/;

/** Patterns for the text of a script, line by line. */
const mockLines: readonly RegExp[] = [
  /\b(?:from|import)\s+unittest\.mock\b|\bfrom\s+unittest\s+import\s+mock\b|\bfrom\s+mock\s+import\b|\bimport\s+mock\b/,
  /\bmock\.patch\b|@patch\b|\bmonkeypatch\.\w|\bmocker\.patch\b|\bimport\s+(?:responses|respx|httpretty|freezegun)\b/,
  /\b(?:vi|jest)\.(?:mock|doMock|spyOn)\s*\(/,
  /\b(?:require\s*\(|from|import)\s*['"](?:sinon|nock|msw|testdouble|proxyquire|rewire|mockery|esmock)(?:\/[^'"]*)?['"]/,
  /\b(?:allow|expect)_any_instance_of\b|\bwebmock\b|\bgomock\b|\bmockito\b/i,
];
