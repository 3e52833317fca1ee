/** Imports a flow file in a process of its own and gives the flows that it declares, or says why that cannot be done. */

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
  const told = Promise.withResolvers<FromFlow | { readonly say: 'gone'; readonly how: string }>();
  const printed = keepTail();
  const process = startFlowProcess({
    mode: 'list',
    file,
    folder,
    clock,
    onMessage: told.resolve,
    onOutput: printed.add,
  });
  void process.gone.then((how) => told.resolve({ say: 'gone', how }));
  process.send({ say: 'list', file });
  const answer = await within(clock, limits.configImportMs, told.promise);
  if (!answer) process.kill();
  await process.end();
  if (!answer) throw neverLoads(file);
  if (answer.say === 'flows') return answer.flows;
  if (answer.say === 'broken') throw aboutFlow(problemFromData(answer.problem));
  throw endedItself(file, 'how' in answer ? answer.how : 'it said something else', printed.lines());
}

/** Whatever imports a config says so; here it is a flow file. */
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
    next: 'correct the line shown; what has to be done belongs into the body of a flow',
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
    next: 'look outside of the flows, in it and in what it imports, for an `await` or a loop',
  });
}

function endedItself(file: string, how: string, evidence: readonly string[]): Problem {
  return new Problem({
    code: 'flow.broken',
    where: { file, line: 1, column: 1 },
    what: `${how} while it was imported`,
    allowed: 'a file that declares flows and does nothing else while it is imported',
    next: 'look outside of the flows, in it and in what it imports, for what ends the process',
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
