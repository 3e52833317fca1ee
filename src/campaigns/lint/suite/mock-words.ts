/** The words by which stand-ins inside of a program are known, in the languages in which suites are written. */

/** Packages whose only use is to stand in for something. */
const libraries = [
  'sinon',
  'nock',
  'msw',
  'testdouble',
  'proxyquire',
  'rewire',
  'mockery',
  'jest-mock',
  'fetch-mock',
  'axios-mock-adapter',
  'mock-fs',
  'mock-require',
  'ts-mockito',
  'esmock',
];

/** `msw/node` is a part of `msw`, `@sinonjs/fake-timers` of `sinon`. */
export function findMockLibrary(specifier: string): string | undefined {
  if (specifier.startsWith('@sinonjs/')) return 'sinon';
  return libraries.find((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** What is called to replace a part: `vi.mock('../src/clock.ts')`. */
export const mockCalls =
  /^(?:vi|jest)\.(?:mock|doMock|unstable_mockModule|spyOn|fn|stubGlobal|stubEnv|useFakeTimers|setSystemTime)$|^sinon\.|^(?:t|test|context)?\.?mock\.(?:method|fn|getter|setter|module|timers)\b|^td\.(?:replace|when)$/;

/** In the text of a script, line by line. */
export const mockLines: readonly RegExp[] = [
  /\b(?:from|import)\s+unittest\.mock\b|\bfrom\s+unittest\s+import\s+mock\b|\bfrom\s+mock\s+import\b|\bimport\s+mock\b/,
  /\bmock\.patch\b|@patch\b|\bmonkeypatch\.\w|\bmocker\.patch\b|\bimport\s+(?:responses|respx|httpretty|freezegun)\b/,
  /\b(?:vi|jest)\.(?:mock|doMock|spyOn)\s*\(/,
  /\b(?:require\s*\(|from|import)\s*['"](?:sinon|nock|msw|testdouble|proxyquire|rewire|mockery|esmock)(?:\/[^'"]*)?['"]/,
  /\b(?:allow|expect)_any_instance_of\b|\bwebmock\b|\bgomock\b|\bmockito\b/i,
];
