/** The driver `command`: runs a program to its end, or keeps it for later steps to talk to. */
import type { Driver } from '../driver.ts';
import { CommandAct } from './command-act.ts';
import type { CommandStep } from './command-step.ts';
import { StayingAct } from './staying-act.ts';

export const commandDriver: Driver<CommandStep> = {
  name: 'command',
  describe: ({ argv }) =>
    argv.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
  start: (step, context) => (step.stays ? new StayingAct(step, context) : new CommandAct(step, context)),
};
