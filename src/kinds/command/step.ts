/** A program that is started from outside. */

import { argvOf, type StepKind, textsOf, withoutKey } from '../kind/step-kind.ts';
import { commandEvidence } from './evidence.ts';
import { commandFlow } from './flow.ts';

export const commandStep: StepKind = {
  driver: 'command',
  startsProgram: true,
  opensWith: 'stays: true',
  opens: (spec) => spec.stays === true,
  evidence: commandEvidence,
  unsent: ['cwd'],
  words: ({ command }) =>
    Array.isArray(command) ? command.slice(1).map(String) : String(command).split(/\s+/),
  flow: commandFlow,
  toDriver: (spec) => ({
    step: { ...withoutKey(spec, 'command'), argv: argvOf(spec.command), ...textsOf(spec, 'env') },
  }),
};
