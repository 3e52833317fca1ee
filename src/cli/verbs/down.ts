/** `shakedown down`: takes down what is up in this folder, and what crashed runs left. */
import { down as takeDown } from '../../campaigns/up/down.ts';
import { worstExitCode } from '../../kernel/exit-codes.ts';
import { formatProblems } from '../../kernel/format-problems.ts';
import { print } from '../call/print.ts';
import type { Verb } from '../call/verb.ts';

export const down: Verb = {
  summary: 'take down what is up here',
  usage: '',
  run: async (call) => {
    const { result, problems } = await takeDown(call);
    print(call, result, (terminal) => [
      ...(result.down ? [] : ['nothing is up here']),
      ...(problems.length > 0 ? [formatProblems(problems, terminal)] : []),
      ...(result.down && problems.length === 0 ? [`run ${result.run} is down; nothing is left`] : []),
    ]);
    return worstExitCode(problems.map(({ exitCode }) => exitCode));
  },
};
