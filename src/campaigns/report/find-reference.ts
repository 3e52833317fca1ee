/** The newest passing attempt of a trial in other stored runs: found by their verdicts, so that few journals are read. */
import { runFolderOf } from '../../environment/run-folder.ts';
import type { StoredRun, StoredTrial } from '../flakes/stored-runs.ts';
import { readReference } from './read-evidence.ts';

/** `runs` are the oldest first. */
export function referenceFinder(systemFolder: string, runs: readonly StoredRun[]) {
  const others = runs
    .toReversed()
    .map((stored) => ({ stored, passedIn: lazily(() => passedTrials(stored)) }));
  return async (id: string, mostBytes: number): Promise<string | undefined> => {
    for (const { stored, passedIn } of others) {
      const trial = passedIn().get(id);
      if (!trial) continue;
      const { run, startedAt } = stored;
      const source = { folder: runFolderOf(systemFolder, run), plan: { run, startedAt } };
      const text = await readReference(source, id, trial.attempts, mostBytes);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

function passedTrials({ trials }: StoredRun): ReadonlyMap<string, StoredTrial> {
  return new Map(
    trials.flatMap((trial) =>
      trial.verdict === 'passed' && trial.attempts > 0 ? [[trial.id, trial] as const] : [],
    ),
  );
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
