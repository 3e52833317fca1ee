/** Boots a system and takes it down again, with no trial in between: for a system that has none that can be performed. */
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import { bootStage, type StageOptions } from '../run/live-stage.ts';

export interface BootedAlone {
  readonly problems: readonly Problem[];
  readonly leaks: readonly string[];
}

export async function bootAlone(options: StageOptions): Promise<BootedAlone> {
  try {
    const live = await bootStage(options, 1);
    const { problems, leaks } = await live.end('the doctor has seen enough');
    return { problems, leaks };
  } catch (error) {
    return { problems: problemsIn(error), leaks: [] };
  }
}
