/** The command that performs a trial of a run again, ready to be pasted into a shell. */
import { shellWord } from '../../kernel/shell-word.ts';
import type { RunPlan } from './run-plan.ts';

export function reproCommand({ run, config }: Pick<RunPlan, 'run' | 'config'>, trial: string): string {
  const words = ['shakedown', 'rerun', ...(config === undefined ? [] : ['--config', config]), run, trial];
  return words.map(shellWord).join(' ');
}
