/** Whether a failure is in quarantine: only what the entries name is excused, in every attempt that failed. */
import type { AttemptVerdict } from './judge/judge-attempt.ts';
import type { QuarantineEntry } from './quarantine.ts';
import { endNames, onlyByName } from './under-expectation.ts';

/** The entry that covers the first failure; undefined if something failed that none of them covers. */
export function excusedBy<Entry extends QuarantineEntry>(
  entries: readonly Entry[],
  attempts: readonly AttemptVerdict[],
): Entry | undefined {
  if (entries.length === 0) return undefined;
  // An undecided attempt, or one without its end, may have failed in any way.
  const isDecided = ({ verdict, end }: AttemptVerdict): boolean =>
    end !== undefined && (verdict === 'passed' || verdict === 'failed');
  if (!attempts.every(isDecided)) return undefined;
  const failed = attempts.filter(({ verdict }) => verdict === 'failed').map(failuresIn);
  if (failed.some((names) => names.length === 0)) return undefined;
  const excuses = failed.flat().map((name) => entries.find((entry) => mayFail(entry, name)));
  return excuses.every((entry) => entry !== undefined) ? excuses[0] : undefined;
}

function failuresIn({ checks, end }: AttemptVerdict): readonly string[] {
  const ended = end === undefined ? undefined : endNames[end];
  return [
    ...checks.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id),
    ...(ended === undefined ? [] : [ended]),
  ];
}

/** A death, an error line, a timeout and a mistake in a flow are excused only by their names, as in `expectedFailure`. */
function mayFail({ check }: QuarantineEntry, name: string): boolean {
  return check === undefined ? !onlyByName.includes(name) : check === name;
}
