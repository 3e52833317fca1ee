/** What a program says that is run to look: its exit code, and what it printed. */
import type { CheckKind } from '../kind/check-kind.ts';
import { argvOf } from '../kind/step-kind.ts';
import { commandStep } from './step.ts';

export const commandCheck: CheckKind = {
  gives: 'map',
  givesResult: true,
  startsProgram: true,
  query: (named, own) => ({ command: named, ...own }),
  source: ({ command, in: inside }) =>
    `command ${argvOf(command).join(' ')}${inside === undefined ? '' : ` in ${String(inside)}`}`,
  fields: () => (commandStep.evidence === 'any' ? undefined : commandStep.evidence?.fields),
};
