/** A program that is started from outside. */
import { alike, errorText, measured, system } from '../kind/evidence.ts';
import { argvOf, type StepKind, textsOf, withoutKey } from '../kind/step-kind.ts';
import { commandFlow } from './flow.ts';
import { dropsErrors, hidesExitCode, withoutBranches } from './shell-script.ts';

export const commandStep: StepKind = {
  driver: 'command',
  startsProgram: true,
  opensWith: 'stays: true',
  oneOf: ['stays', 'in'],
  isInside: (spec) => spec.in !== undefined,
  opens: (spec) => spec.stays === true,
  evidence: {
    format: {
      when: ['exitCode'],
      words: ({ exitCode, signal, stdout, stderr }, show) => {
        const end = typeof signal === 'string' ? `ended by ${signal}` : `exit code ${String(exitCode)}`;
        const failed = exitCode !== 0 && typeof stderr === 'string' && stderr.trim() !== '';
        const text = failed ? stderr : stdout;
        if (typeof text !== 'string' || text.trim() === '') return `${end}, no output`;
        return `${end}, ${failed ? 'stderr' : 'stdout'} ${show(text.trimEnd())}`;
      },
    },
    fields: {
      exitCode: system,
      signal: { ...system, isRare: true },
      ...alike('stdout stderr', { ...system, isContent: true }),
      json: { ...system, isOptional: true, isContent: true, isBody: true },
      ...alike('stdoutBytes stderrBytes', measured),
      truncated: { ...measured, isRare: true },
    },
    outcome: {
      field: 'exitCode',
      words: (code) => `exit code ${String(code)}`,
      opposite: (code) => (code === 0 ? 1 : 0),
      failure: {
        what: 'another exit code and an error message',
        isWell: (code) => code === 0,
        answers: ({ json: _json, ...healthy }) =>
          [1, 2, 127].map((exitCode) => ({ ...healthy, exitCode, stdout: '', stderr: errorText })),
      },
    },
  },
  unsent: ['cwd', 'in'],
  decides: ({ command }) => [
    // A signal ends one of its programs; the shell goes on.
    ...(hidesExitCode(command) ? ['exitCode', 'signal'] : []),
    ...(dropsErrors(command) ? ['stderr'] : []),
  ],
  words: ({ command }) =>
    Array.isArray(command)
      ? command.slice(1).map((word) => withoutBranches(String(word)))
      : withoutBranches(String(command)).split(/\s+/),
  flow: commandFlow,
  toDriver: (spec) => ({
    step: { ...withoutKey(spec, 'command'), argv: argvOf(spec.command), ...textsOf(spec, 'env') },
  }),
};
