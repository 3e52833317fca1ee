/** Performs a flow: its code runs in a separate process, and requests acts and observations from us. */
import path from 'node:path';
import { namesOfEnd, outside } from '../../environment/wiring/edges.ts';
import { markerVariable } from '../../environment/wiring/hermetic-env.ts';
import type { Ending } from '../attempt/perform.ts';
import { addedPlugins } from '../kinds/added-plugins.ts';
import { knownEdges } from '../known-edges.ts';
import type { Attempt } from '../perform/attempt.ts';
import { takeSamples } from '../perform/take-samples.ts';
import { answerFlow, type FlowAnswers } from './answer-flow.ts';
import type { FlowTrial } from './flow-context.ts';
import { type FlowLog, openFlowLog } from './flow-log.ts';
import type { FlowFailure } from './flow-message.ts';
import { createFlowPerformance } from './flow-performance.ts';
import { type FlowProcess, startFlowProcess } from './start-flow-process.ts';

/** `onFailure` is called while everything is still open. */
export async function performFlow(
  attempt: Attempt,
  onFailure?: (step: string) => Promise<void>,
): Promise<Ending> {
  const { system, redactor } = attempt.environment;
  const log = openFlowLog(attempt.folder, redactor);
  const performance = createFlowPerformance(attempt, { system, edges: knownEdges(system) });
  const over = Promise.withResolvers<Ending>();
  const answers: FlowAnswers = answerFlow(performance, (answer) => flow.send(answer));
  const flow = startFlowProcess({
    mode: 'perform',
    file: attempt.trial.file,
    folder: system.folder,
    env: { ...attempt.environment.hostEnv, [markerVariable]: attempt.environment.environment },
    clock: attempt.environment.clock,
    onOutput: log.write,
    onMessage: (message) => {
      if (message.say === 'asks') answers.answer(message.asks);
      else if (message.say === 'check') answers.declare(message.check);
      else if (message.say === 'begins') answers.begin(message.watches);
      else if (message.say === 'ended') over.resolve(endingOf(attempt, message.failure));
    },
  });
  void flow.gone.then((how) => over.resolve({ end: 'flow-failed', because: how }));
  try {
    const ending = declared(attempt, await runToEnd(attempt, flow, over.promise), answers);
    await answers.settled();
    if (ending.end === 'done') await takeSamples(attempt, answers.later);
    else if (!attempt.signal.aborted) await onFailure?.('of the flow');
    return ending;
  } finally {
    await answers.end();
    writeLogTail(attempt, log);
  }
}

/** No process of the flow is left when this resolves. */
async function runToEnd(attempt: Attempt, flow: FlowProcess, over: Promise<Ending>): Promise<Ending> {
  const { driving, signal, environment } = attempt;
  signal.addEventListener('abort', flow.kill, { once: true });
  let unregister: (() => Promise<void>) | undefined;
  try {
    if (signal.aborted) return { end: 'interrupted' };
    // Registered, before any of its code runs, with a process that outlives us.
    if (flow.pid !== undefined) unregister = await driving.started?.(flow.pid, flow.argv);
    const { edges } = await environment.ask('status', {});
    flow.send({
      say: 'perform',
      file: attempt.trial.file,
      index: attempt.trial.flow?.index ?? 0,
      trial: attempt.scope.resolve('${trial}').value as FlowTrial,
      plugins: addedPlugins(),
      urls: Object.fromEntries(
        edges.flatMap(({ from, to, url }) =>
          namesOfEnd(environment.system, to).map((end) => [
            from === outside ? end : `${from} -> ${end}`,
            url,
          ]),
        ),
      ),
    });
    return await over;
  } finally {
    signal.removeEventListener('abort', flow.kill);
    await flow.end();
    await unregister?.().catch(() => undefined); // the process is gone; whoever was told of it finds that out
  }
}

function endingOf({ environment }: Attempt, failure: FlowFailure | undefined): Ending {
  if (!failure) return { end: 'done' };
  const { message, isStep, file, line } = failure;
  const place = file === undefined ? '' : ` (${path.relative(environment.system.folder, file)}:${line})`;
  return { end: isStep ? 'step-failed' : 'flow-failed', because: `${message}${place}` };
}

/** A check that could not be declared is a mistake in the flow, whatever the other results are. */
function declared({ trial }: Attempt, ending: Ending, { faults }: FlowAnswers): Ending {
  const [fault] = faults;
  if (ending.end !== 'done' || !fault) return ending;
  return { end: 'flow-failed', because: `${fault.message} (${trial.record.file}:${fault.line})` };
}

function writeLogTail({ journal }: Attempt, log: FlowLog): void {
  log.close();
  const lines = log.tail();
  if (lines.length > 0) journal.emit({ type: 'log.tail', service: 'the flow', lines });
}
