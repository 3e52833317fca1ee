/** Boots a config that was just made, and finds out what only the running system says. */
import { Problem, Problems, problemsIn } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { lookAt } from '../lint/live/looking.ts';
import type { Host } from '../session/host.ts';
import type { Interrupts } from '../session/interrupts.ts';
import { onRunningSystem } from '../session/on-running-system.ts';
import { type Answered, askServices } from './ask-services.ts';

export interface TriedOut {
  readonly answered: readonly Answered[];
  /** Services that ended with 0, and so are jobs. */
  readonly ended: readonly string[];
  /** Services whose image is not there. */
  readonly imageless: readonly string[];
  /** Services that did not survive the questions. */
  readonly died: readonly string[];
  /** Why it did not boot. */
  readonly problems: readonly Problem[];
}

const nothing: TriedOut = { answered: [], ended: [], imageless: [], died: [], problems: [] };

export async function tryOut(host: Host, system: System, interrupts: Interrupts): Promise<TriedOut> {
  try {
    const seen = await onRunningSystem(host, system, { attach: false }, interrupts, (environment, signal) =>
      lookAt(environment, signal, async (looking): Promise<TriedOut> => {
        const answered = await askServices(looking);
        const { services } = await environment.ask('status', {});
        const gone = services.flatMap(({ name, exit }) => (exit ? [{ name, isDone: exit.code === 0 }] : []));
        const ended = gone.filter(({ isDone }) => isDone).map(({ name }) => name);
        const died = gone.filter(({ isDone }) => !isDone).map(({ name }) => name);
        return { ...nothing, answered, ended, died };
      }),
    );
    return seen ?? nothing;
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Problems)) throw error;
    const problems = problemsIn(error);
    const ended = problems.filter(({ facts }) => facts.ended === 0).flatMap(partOf);
    const imageless = problems.filter(({ code }) => code === 'world.no-image').flatMap(partOf);
    return { ...nothing, ended, imageless, problems };
  }
}

function partOf({ facts: { part } }: Problem): readonly string[] {
  return part === undefined ? [] : [part];
}
