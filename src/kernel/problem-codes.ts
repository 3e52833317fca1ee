/** Every error code of the product, with the family to which it belongs and the exit code that it leads to. */
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** you: the configuration or the call; world: the machine; system: a finding about the system under test; shakedown: a bug. */
export type ProblemFamily = 'you' | 'world' | 'system' | 'shakedown';

interface CodeFacts {
  readonly family: ProblemFamily;
  readonly exitCode: ExitCode;
}

const you: CodeFacts = { family: 'you', exitCode: exitCodes.usage };
const world: CodeFacts = { family: 'world', exitCode: exitCodes.notBooted };
const system: CodeFacts = { family: 'system', exitCode: exitCodes.notBooted };

export const problemCodes = {
  'usage.unknown-verb': you,
  'usage.unknown-option': you,
  'usage.bad-value': you,
  'usage.not-empty': you,
  'usage.already-up': you,
  'usage.not-up': you,
  'config.not-found': you,
  'config.unreadable': you,
  'config.syntax': you,
  'config.unknown-key': you,
  'config.missing-key': you,
  'config.wrong-type': you,
  'config.bad-value': you,
  'config.duplicate-name': you,
  'config.dependency-cycle': you,
  'config.unknown-name': you,
  'config.unknown-variable': you,
  'config.function': you,
  'config.bad-pattern': you,
  'config.not-yet': you,
  'config.no-snapshot': you,
  'config.type-as-value': you,
  'config.missing-extension': you,
  'config.unsupported-typescript': you,
  'config.module-type': you,
  'config.threw': you,
  'config.node-too-old': you,
  'roster.broken-manifest': you,
  'roster.empty': you,
  'template.not-found': you,
  'template.broken': you,
  'trial.unreadable': you,
  'trial.syntax': you,
  'trial.unknown-kind': you,
  'trial.empty-check': you,
  'trial.contradiction': you,
  'trial.unknown-step': you,
  'trial.later-step': you,
  'trial.duplicate-id': you,
  'trial.unknown-trial': you,
  'trial.fragment-cycle': you,
  'flow.broken': you,
  'run.not-found': you,
  'run.unreadable': you,
  'cassette.not-found': you,
  'cassette.unreadable': you,
  'suite.nothing-selected': { family: 'you', exitCode: exitCodes.dishonest },
  'world.missing-binary': world,
  'world.missing-package': world,
  'world.port-taken': world,
  'world.no-free-port': world,
  'world.disk-full': world,
  'world.not-writable': world,
  'world.unreachable': world,
  'world.not-permitted': world,
  'world.keeper-not-started': world,
  'boot.process-exited': system,
  'boot.never-ready': system,
  'boot.died-after-ready': system,
  'boot.job-failed': system,
  'boot.port-not-told': system,
  'boot.too-slow': system,
  'boot.taken-down': { family: 'you', exitCode: exitCodes.notBooted },
  'boot.resource-failed': { family: 'world', exitCode: exitCodes.notBooted },
  'system.command-failed': { family: 'system', exitCode: exitCodes.failed },
  'system.service-died': { family: 'system', exitCode: exitCodes.failed },
  'system.late-error': { family: 'system', exitCode: exitCodes.failed },
  'system.reset-failed': { family: 'system', exitCode: exitCodes.failed },
  'journal.unreadable': you,
  'left.behind': { family: 'world', exitCode: exitCodes.leftBehind },
  'teardown.failed': { family: 'world', exitCode: exitCodes.leftBehind },
  'shakedown.keeper-died': { family: 'shakedown', exitCode: exitCodes.bug },
  'shakedown.bug': { family: 'shakedown', exitCode: exitCodes.bug },
} as const satisfies Record<string, CodeFacts>;

export type ProblemCode = keyof typeof problemCodes;
