/** Performs a flow: its code runs in a process of its own, and asks us to act and to look. */
import path from 'node:path';
import { markerVariable } from '../../environment/containment/marker.ts';
import { namesOfEnd, outside } from '../../environment/wiring/edges.ts';
import { knownEdges } from '../known-edges.ts';
import type { Attempt } from '../perform/attempt.ts';
import type { Ending } from '../perform/perform.ts';
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
  const { system, redactor } = attempt.stage;
  const log = openFlowLog(attempt.folder, redactor);
  const performance = createFlowPerformance(attempt, { system, edges: knownEdges(system) });
  const over = Promise.withResolvers<Ending>();
  const answers: FlowAnswers = answerFlow(performance, (answer) => flow.send(answer));
  const flow = startFlowProcess({
    mode: 'perform',
    file: attempt.trial.file,
    folder: system.folder,
    env: { ...attempt.stage.hostEnv, [markerVariable]: attempt.stage.environment },
    clock: attempt.stage.clock,
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
    tellTail(attempt, log);
  }
}

/** Nothing of the flow is there any more when this resolves. */
async function runToEnd(attempt: Attempt, flow: FlowProcess, over: Promise<Ending>): Promise<Ending> {
  const { driving, signal, stage } = attempt;
  signal.addEventListener('abort', flow.kill, { once: true });
  let unregister: (() => Promise<void>) | undefined;
  try {
    if (signal.aborted) return { end: 'interrupted' };
    // Before any of its code runs, somebody who outlives us knows of it.
    if (flow.pid !== undefined) unregister = await driving.started?.(flow.pid, flow.argv);
    const { edges } = await stage.ask('status', {});
    flow.send({
      say: 'perform',
      file: attempt.trial.file,
      index: attempt.trial.flow?.index ?? 0,
      trial: attempt.knowledge.forActing('${trial}').value as FlowTrial,
      urls: Object.fromEntries(
        edges.flatMap(({ from, to, url }) =>
          namesOfEnd(stage.system, to).map((end) => [from === outside ? end : `${from} -> ${end}`, url]),
        ),
      ),
    });
    return await over;
  } finally {
    signal.removeEventListener('abort', flow.kill);
    await flow.end();
    await unregister?.().catch(() => 'the process is gone; whoever was told of it finds that out');
  }
}

function endingOf({ stage }: Attempt, failure: FlowFailure | undefined): Ending {
  if (!failure) return { end: 'done' };
  const { message, isStep, file, line } = failure;
  const place = file === undefined ? '' : ` (${path.relative(stage.system.folder, file)}:${line})`;
  return { end: isStep ? 'step-failed' : 'flow-failed', because: `${message}${place}` };
}

/** A check that could not be declared is a mistake in the flow, whatever came of the rest. */
function declared({ trial }: Attempt, ending: Ending, { faults }: FlowAnswers): Ending {
  const [fault] = faults;
  if (ending.end !== 'done' || !fault) return ending;
  return { end: 'flow-failed', because: `${fault.message} (${trial.record.file}:${fault.line})` };
}

function tellTail({ journal }: Attempt, log: FlowLog): void {
  log.close();
  const lines = log.tail();
  if (lines.length > 0) journal.emit({ type: 'log.tail', service: 'the flow', lines });
}
