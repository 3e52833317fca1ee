/** Reads `shakedown/quarantine.yaml` beside the config, and checks every entry against the existing trials. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { logGateId } from '../../checks/judge-logs.ts';
import { processGateId } from '../../checks/judge-processes.ts';
import { modelGateId, peerGateId } from '../../checks/judge-scripts.ts';
import { type QuarantineEntry, speaksOf } from '../../checks/quarantine.ts';
import { endNames } from '../../checks/under-expectation.ts';
import { baseId } from '../../kernel/base-id.ts';
import { defined } from '../../kernel/defined.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { type Problem, refuse } from '../../kernel/problem.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { readText } from '../../system/source/read-text.ts';
import { parseYamlDocument } from '../../system/source/yaml-document.ts';
import { type Placed, problemAt, problemsAt, shapeProblems } from '../read/placed.ts';
import type { Trial } from '../trial.ts';
import { type QuarantineDocument, quarantineDocument } from './quarantine-document.ts';

/** Relative to the folder of the config: it is committed. */
export const quarantineFile = path.join('shakedown', 'quarantine.yaml');

/** Empty without such a file. */
export async function readQuarantine(
  systemFolder: string,
  trials: readonly Trial[],
): Promise<readonly QuarantineEntry[]> {
  const file = path.join(systemFolder, quarantineFile);
  if (!existsSync(file)) return [];
  const text = await readText(file, { noun: 'quarantine', unreadable: 'quarantine.unreadable' });
  const { value, source } = parseYamlDocument(file, text, 'quarantine.syntax');
  const root: Placed<unknown> = { value, source, path: [] };
  refuse(sortProblems(shapeProblems(root, quarantineDocument, () => false, 'quarantine')));
  const { entries } = value as QuarantineDocument;
  refuse(sortProblems(entries.flatMap((_, index) => entryProblems(entries, index, root, trials))));
  return entries.map(({ trial, check, owner, reason, until, since }, index) => ({
    ...defined({ trial, check, owner, reason, until, since }),
    line: source.keyLine(['entries', index, 'trial']),
  }));
}

type Entries = QuarantineDocument['entries'];

function entryProblems(
  entries: Entries,
  index: number,
  root: Placed<unknown>,
  trials: readonly Trial[],
): Problem[] {
  const entry = entries[index] as Entries[number];
  const placed = { ...root, path: ['entries', index] };
  const meant = trials.filter(({ record }) => speaksOf(entry, record.id));
  if (meant.length === 0) return [unknownTrial(placed, entry.trial, trials)];
  const isRepeated = entries
    .slice(0, index)
    .some(({ trial, check }) => trial === entry.trial && check === entry.check);
  return [
    ...(isRepeated ? [repeated(placed, entry.trial)] : []),
    ...(entry.since !== undefined && entry.since > entry.until
      ? [endsBefore(placed, entry.since, entry.until)]
      : []),
    ...unknownCheck(placed, entry.check, meant),
    ...meant.flatMap(({ record }) => (record.expectedFailure ? [expectedToo(placed, record.id)] : [])),
  ];
}

function unknownTrial(placed: Placed<unknown>, id: string, trials: readonly Trial[]): Problem {
  const ids = [...new Set(trials.flatMap(({ record }) => [record.id, baseId(record.id)]))];
  return problemAt(placed, 'value', ['trial'], {
    code: 'trial.unknown-trial',
    what: `\`${id}\` is in quarantine, and there is no such trial`,
    allowed: 'the id of a trial of this suite, or of one of its cases',
    next: didYouMean(id, ids, 'remove the entry, or correct the id; see all of them: shakedown run --list'),
  });
}

/** A flow declares its checks while it runs. */
function unknownCheck(
  placed: Placed<unknown>,
  check: string | undefined,
  meant: readonly Trial[],
): readonly Problem[] {
  if (check === undefined || meant.some(({ record }) => record.kind === 'flow')) return [];
  const own = meant.flatMap(({ record }) => [
    ...record.checks.map(({ id }) => id),
    ...record.steps.map(({ name }) => `step ${name}`),
  ]);
  const always = [logGateId, processGateId, modelGateId, peerGateId, ...Object.values(endNames)];
  const known = [...new Set([...own, ...always])];
  if (known.includes(check)) return [];
  return problemsAt(placed, 'value', ['check'], {
    code: 'config.unknown-name',
    what: `the trial has no check \`${check}\``,
    allowed: known.slice(0, 20).join(', '),
    next: didYouMean(check, known, 'name one of its checks, or leave `check` out'),
  });
}

function repeated(placed: Placed<unknown>, id: string): Problem {
  return problemAt(placed, 'value', ['trial'], {
    code: 'config.duplicate-name',
    what: `\`${id}\` is in quarantine already, further up`,
    allowed: 'one entry for a trial, or for each of its checks',
    next: 'remove one of them',
  });
}

function endsBefore(placed: Placed<unknown>, since: string, until: string): Problem {
  return problemAt(placed, 'value', ['until'], {
    code: 'config.bad-value',
    what: `it ends on ${until}, before it began on ${since}`,
    allowed: '`until` on the day of `since`, or later',
    next: 'correct one of the two',
  });
}

function expectedToo(placed: Placed<unknown>, id: string): Problem {
  return problemAt(placed, 'value', ['trial'], {
    code: 'trial.contradiction',
    what: `\`${id}\` has \`expectedFailure\`, and is in quarantine`,
    allowed: '`expectedFailure` for what always fails, quarantine for what fails now and then',
    next: 'remove one of the two',
  });
}
