import { expect, test } from 'vitest';
import { Problem } from '../../kernel/problem.ts';
import {
  acceptFindings,
  dropStale,
  emptyBaseline,
  holdAgainstBaseline,
  parseBaseline,
  printBaseline,
} from './baseline.ts';

const file = '/project/shakedown/sabotage-baseline.yaml';

const text = `live:
  - service: db
    lie: dead
    trial: orders/listed
    reason: a report that reads a cache
  - { service: db, lie: garbage, trial: orders/listed, reason: the same }
offline:
  - trial: orders/listed
    check: total
    reason: counted by hand every month
`;

test('what is new, what is accepted, what is stale', () => {
  const baseline = parseBaseline(file, text);
  const known = { service: 'db', mutant: 'dead', trial: 'orders/listed', line: 7 };
  const fresh = { service: 'mail', mutant: 'dead', trial: 'orders/listed', line: 7 };
  expect(holdAgainstBaseline(baseline, 'live', [known, fresh])).toEqual({
    open: [fresh],
    accepted: [{ ...known, reason: 'a report that reads a cache' }],
    stale: [{ service: 'db', mutant: 'garbage', trial: 'orders/listed', reason: 'the same', line: 6 }],
  });
});

test('what was not judged this time is not stale', () => {
  const baseline = parseBaseline(file, text);
  const { stale } = holdAgainstBaseline(baseline, 'live', [], ({ mutant }) => mutant === 'dead');
  expect(stale.map(({ mutant }) => mutant)).toEqual(['dead']);
  expect(holdAgainstBaseline(baseline, 'offline', []).stale).toMatchObject([{ check: 'total', line: 8 }]);
});

test('accepting keeps earlier reasons, adds new findings and drops stale ones; other sections stay', () => {
  const baseline = parseBaseline(file, text);
  const findings = [
    { service: 'db', mutant: 'dead', trial: 'orders/listed', file: 'a.yaml', line: 3 },
    { service: 'mail', mutant: 'dead', trial: 'greets' },
  ];
  const next = parseBaseline(file, printBaseline(acceptFindings(baseline, 'live', findings, 'to "do"')));
  expect(next.live).toMatchObject([
    { service: 'db', mutant: 'dead', trial: 'orders/listed', reason: 'a report that reads a cache' },
    { service: 'mail', mutant: 'dead', trial: 'greets', reason: 'to "do"' },
  ]);
  expect(next.offline).toMatchObject([{ trial: 'orders/listed', check: 'total' }]);
  expect(holdAgainstBaseline(next, 'live', findings)).toMatchObject({ open: [], stale: [] });
});

test('pruning adds nothing', () => {
  const baseline = parseBaseline(file, text);
  const mail = { service: 'mail', mutant: 'dead', trial: 'greets' };
  const listed = { service: 'db', mutant: 'dead', trial: 'orders/listed' };
  expect(dropStale(baseline, 'live', [mail, listed]).live).toMatchObject([listed]);
});

test.each([
  'plain',
  'with: a colon # and a hash',
  '"quoted" and \\ back',
  'two\nlines\tand\u2028more',
  "- 'x' {y} [z] &a *b !c %d @e `f`",
  'ünï 👩‍🚀',
])('%j is read back as it was written', (reason) => {
  const finding = { service: reason, mutant: 'dead', test: `a ${reason}` };
  const written = printBaseline(acceptFindings(emptyBaseline(file), 'foreign', [finding], `why ${reason}`));
  expect(parseBaseline(file, written).foreign).toMatchObject([{ ...finding, reason: `why ${reason}` }]);
});

test('an empty baseline can be read back', () => {
  const empty = emptyBaseline(file);
  expect(parseBaseline(file, printBaseline(empty))).toEqual(empty);
});

test.each([
  ['a list', '- a\n', 'expected a map', '1:1'],
  ['an unknown part', 'lives: []\n', 'there is no key `lives` here', '1:1'],
  ['a section that is not a list', 'live: { a: 1 }\n', 'live is not a list', '1:1'],
  ['an entry that is not a map', 'live: [x]\n', 'this is not a finding', '1:8'],
  ['an unknown key', 'offline: [{ trial: a, chek: b }]\n', 'there is no key `chek` here', '1:23'],
  ['no reason', 'offline: [{ trial: a, check: b }]\n', '`reason` is missing', '1:11'],
  ['an empty reason', 'offline: [{ trial: a, check: b, reason: " " }]\n', '`reason` is " "', '1:33'],
  ['a number', 'offline: [{ trial: 1, check: b, reason: c }]\n', '`trial` is 1', '1:13'],
  [
    'the same twice',
    'offline:\n  - { trial: a, check: b, reason: c }\n  - { trial: a, check: b, reason: d }\n',
    'this finding is accepted a second time',
    '3:5',
  ],
  ['no YAML', 'live: [\n', 'this is not YAML', '1:8'],
])('%s is reported with its position', (_, broken, what, place) => {
  const problem = problemOf(() => parseBaseline(file, broken));
  expect(problem.message).toContain(what);
  expect(problem.message).toContain(`${file}:${place}`);
  expect(problem.allowed).not.toBe('');
  expect(problem.next).not.toBe('');
});

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    if (error instanceof Error && 'problems' in error)
      return (error.problems as readonly Problem[])[0] as Problem;
    throw error;
  }
  throw new Error('no problem was reported');
}
