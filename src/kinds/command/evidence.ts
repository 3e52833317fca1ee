/** What a program gives. */
import { alike, errorText, measured, type StepEvidence, system } from '../kind/evidence.ts';
import { commandFormat } from './format.ts';

export const commandEvidence: StepEvidence = {
  format: commandFormat,
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
};
