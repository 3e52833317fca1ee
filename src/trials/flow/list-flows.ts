/** Imports a flow file in a separate process and returns the flows that it declares, or says why that failed. */

import type { Clock } from '../../kernel/clock.ts';
import { lastOf } from '../../kernel/cut-text.ts';
import { within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, problemFromData } from '../../kernel/problem.ts';
import type { FoundFlow, FromFlow } from './flow-message.ts';
import { startFlowProcess } from './start-flow-process.ts';

export interface ListOptions {
  readonly folder: string;
  readonly clock: Clock;
}

export async function listFlows(file: string, { folder, clock }: ListOptions): Promise<readonly FoundFlow[]> {
  const first = Promise.withResolvers<FromFlow | { readonly say: 'gone'; readonly how: string }>();
  const printed = keepTail();
  const process = startFlowProcess({
    mode: 'list',
    file,
    folder,
    clock,
    onMessage: first.resolve,
    onOutput: printed.add,
  });
  void process.gone.then((how) => first.resolve({ say: 'gone', how }));
  process.send({ say: 'list', file });
  const answer = await within(clock, limits.configImportMs, first.promise);
  if (!answer) process.kill();
  await process.end();
  if (!answer) throw neverLoads(file);
  if (answer.say === 'flows') return answer.flows;
  if (answer.say === 'broken') throw aboutFlow(problemFromData(answer.problem));
  throw endedItself(file, 'how' in answer ? answer.how : 'it sent an unexpected message', printed.lines());
}

/** Import errors mention a config; here it is a flow file. */
function aboutFlow(problem: Problem): Problem {
  const { code, where, evidence, allowed, next, what } = problem;
  if (code !== 'config.threw')
    return new Problem({
      code,
      where,
      what: named(what),
      allowed: named(allowed),
      next: named(next),
      evidence,
    });
  return new Problem({
    code: 'flow.broken',
    where,
    what: named(what),
    allowed: 'a file that declares flows and does nothing else while it is imported',
    next: 'correct the line shown; work belongs in the body of a flow',
    evidence,
  });
}

function named(text: string): string {
  return text.replaceAll(/\bthe config\b/g, 'the flow file').replaceAll(/\ba config\b/g, 'a flow file');
}

function neverLoads(file: string): Problem {
  return new Problem({
    code: 'flow.broken',
    where: { file, line: 1, column: 1 },
    what: `the flow file has not loaded after ${limits.configImportMs / 1_000} s; something in it waits or loops for ever`,
    allowed: 'a file that declares flows and does nothing else while it is imported',
    next: 'look for an `await` or a loop outside of the flows, in the file and in its imports',
  });
}

function endedItself(file: string, how: string, evidence: readonly string[]): Problem {
  return new Problem({
    code: 'flow.broken',
    where: { file, line: 1, column: 1 },
    what: `${how} while it was imported`,
    allowed: 'a file that declares flows and does nothing else while it is imported',
    next: 'look for what ends the process outside of the flows, in the file and in its imports',
    evidence,
  });
}

const tailChars = 4_000;

function keepTail(): { add(bytes: Buffer): void; lines(): readonly string[] } {
  let text = '';
  return {
    add: (bytes) => {
      text = (text + bytes.toString('utf8')).slice(-2 * tailChars);
    },
    lines: () =>
      lastOf(text, tailChars)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(-limits.logTailLines),
  };
}
