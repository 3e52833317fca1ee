/** Imports a flow file in a separate process and returns the flows that it declares, or says why that failed. */
import type { Clock } from '../../kernel/clock.ts';
import { lastOf } from '../../kernel/cut-text.ts';
import { within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, problemFromData } from '../../kernel/problem.ts';
import type { FoundFlow, FromFlow } from './flow-message.ts';
import { startFlowProcess } from './start-flow-process.ts';

export async function listFlows(file: string, folder: string, clock: Clock): Promise<readonly FoundFlow[]> {
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
  const where = { file, line: 1, column: 1 };
  if (!answer)
    throw broken(
      where,
      `the flow file has not loaded after ${limits.configImportMs / 1_000} s; something in it waits or loops for ever`,
      'look for an `await` or a loop outside of the flows, in the file and in its imports',
    );
  if (answer.say === 'flows') return answer.flows;
  if (answer.say === 'broken') throw aboutFlow(problemFromData(answer.problem));
  throw broken(
    where,
    `${'how' in answer ? answer.how : 'it sent an unexpected message'} while it was imported`,
    'look for what ends the process outside of the flows, in the file and in its imports',
    printed.lines(),
  );
}

/** Import errors mention a config; here it is a flow file. */
function aboutFlow({ code, where, evidence, allowed, next, what }: Problem): Problem {
  if (code !== 'config.threw')
    return new Problem({
      code,
      where,
      what: named(what),
      allowed: named(allowed),
      next: named(next),
      evidence,
    });
  return broken(where, named(what), 'correct the line shown; work belongs in the body of a flow', evidence);
}

function named(text: string): string {
  return text.replaceAll(/\bthe config\b/g, 'the flow file').replaceAll(/\ba config\b/g, 'a flow file');
}

function broken(
  where: Problem['where'],
  what: string,
  next: string,
  evidence: readonly string[] = [],
): Problem {
  const allowed = 'a file that declares flows and does nothing else while it is imported';
  return new Problem({ code: 'flow.broken', where, what, allowed, next, evidence });
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
