/** Answers of a system that failed, as a whole: its status, or its exit code, and what it says then. */
import { isContainer } from '../../kernel/exact-json.ts';
import type { Claims } from '../../patterns/lies/claims-of.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { Examinee } from './examinee.ts';

/**
 * A check that names alternatives, one of which is that it went wrong, says something of success alone: it holds for every failure.
 * Gives the failure as words, where it does.
 */
export function holdsForEveryFailure(
  { kind, value, judge, expectation }: Examinee,
  { mentioned }: Claims,
): string | undefined {
  if (kind !== 'exchange' || !isPlainMap(value) || !hasAlternatives(expectation.expect)) return undefined;
  const failure = failures.find(({ key, isWell }) => isWell(value[key]) && mentioned.has(`$.${key}`));
  if (!failure) return undefined;
  return failure.answers(value).every((answer) => judge(answer) === 'passed') ? failure.what : undefined;
}

type Answer = Readonly<Record<string, unknown>>;

interface Failure {
  readonly key: string;
  readonly what: string;
  isWell(value: unknown): boolean;
  answers(healthy: Answer): readonly Answer[];
}

const words = 'something went wrong';

const failures: readonly Failure[] = [
  {
    key: 'status',
    what: 'a status from 400 to 503 with an error in place of the answer',
    isWell: (status) => typeof status === 'number' && status < 400,
    answers: ({ json, text, ...healthy }) =>
      [400, 401, 404, 429, 500, 503].map((status) => ({
        ...healthy,
        status,
        ...(json === undefined ? {} : { json: { error: { code: 'failed', message: words } } }),
        ...(text === undefined ? {} : { text: words }),
      })),
  },
  {
    key: 'isError',
    what: 'an error of the tool',
    isWell: (isError) => isError === false,
    answers: (healthy) => [
      { ...healthy, isError: true, result: words, content: [{ type: 'text', text: words }] },
    ],
  },
  {
    key: 'exitCode',
    what: 'another exit code, and a complaint',
    isWell: (code) => code === 0,
    answers: ({ json: _json, ...healthy }) =>
      [1, 2, 127].map((exitCode) => ({ ...healthy, exitCode, stdout: '', stderr: words })),
  },
];

function hasAlternatives(pattern: unknown): boolean {
  if (!isContainer(pattern)) return false;
  return Object.entries(pattern).some(([key, inner]) => key === '$any' || hasAlternatives(inner));
}
