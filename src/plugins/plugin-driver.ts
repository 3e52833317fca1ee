/** The driver of a step that a plugin brings. */

import { givenUp, notStarted } from '../drivers/act-error.ts';
import { beginLife } from '../drivers/act-life.ts';
import type { Act, ActError, ActEvidence, Address, Driver, DriverContext } from '../drivers/driver.ts';
import { isMap } from '../kernel/is-map.ts';
import type { Spec } from '../kinds/kind/step-kind.ts';
import type { PluginSpec } from '../system/system.ts';
import { attemptPlugin } from './attempt-plugins.ts';
import type { StepDescription } from './description.ts';
import { pluginLimits } from './plugin-limits.ts';
import { type Message, PluginBroken } from './plugin-process.ts';

export function pluginDriver(
  spec: PluginSpec,
  key: string,
  described: StepDescription,
  folder: string,
): Driver<Spec> {
  return {
    name: key,
    describe: (step) => {
      const { [key]: named, ...rest } = step;
      const keys = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
      return `${key} ${typeof named === 'string' ? named : JSON.stringify(named)}${keys}`;
    },
    start: (step, context) => startAct(spec, key, described, { ...context, folder }, step),
  };
}

function startAct(
  spec: PluginSpec,
  key: string,
  { target }: StepDescription,
  context: DriverContext,
  step: Spec,
): Act {
  let evidence: ActEvidence = {};
  let sentBytes = 0;
  const end = (made: ActEvidence, sent = 0): void => {
    if (life.isOver) return;
    evidence = made;
    sentBytes = sent;
    life.end();
  };
  const cancelled = new AbortController();
  const cancel = (error: ActError) => (): void => {
    cancelled.abort();
    end({ error });
  };
  const life = beginLife(
    { ...context, timeoutMs: context.timeoutMs + 2 * pluginLimits.graceMs },
    { late: cancel(pluginFailed(`the plugin \`${spec.name}\` did not answer`)), givenUp: cancel(givenUp) },
  );
  const request = async (): Promise<void> => {
    const { timeoutMs, scratch, lasting } = context;
    const address = target ? { target: addressOf(String(step[key]), context) } : {};
    if (!lasting) throw new Error('a plugin acts only during an attempt');
    const process = await attemptPlugin(spec, lasting, context);
    const answer = await process.ask(
      { do: 'start', kind: key, step, ...address, timeoutMs, scratch },
      { withinMs: timeoutMs + pluginLimits.graceMs, signal: cancelled.signal },
    );
    end(...evidenceIn(spec, answer, Buffer.byteLength(JSON.stringify(step))));
  };
  request().catch((error: unknown) =>
    end({ error: error instanceof PluginBroken ? pluginFailed(error.message) : notStarted(error) }),
  );
  return { done: life.done, evidence: () => evidence, sentBytes: () => sentBytes };
}

function pluginFailed(message: string): ActError {
  return { kind: 'plugin-failed', message };
}

/** `{ name, scheme, host, port, url }` of a service, as it is reached from outside. */
function addressOf(named: string, context: DriverContext): Address & { readonly name: string } {
  return { name: named, ...context.address(named) };
}

const errorKinds = [
  'refused',
  'unreachable',
  'reset',
  'closed',
  'timeout',
  'garbage',
  'too-large',
  'not-started',
  'plugin-failed',
];

function evidenceIn(spec: PluginSpec, answer: Message, stepBytes: number): [ActEvidence, number] {
  const { evidence = answer.error === undefined ? undefined : {}, error, sentBytes } = answer;
  if (!isMap(evidence))
    throw new PluginBroken(`the plugin \`${spec.name}\` answered without \`evidence\`, a map, or \`error\``);
  const sent = Number.isSafeInteger(sentBytes) && Number(sentBytes) >= 0 ? Number(sentBytes) : stepBytes;
  if (error === undefined || error === null) return [evidence as ActEvidence, sent];
  const { kind, message } = isMap(error) ? error : { kind: undefined, message: error };
  const known = errorKinds.includes(String(kind)) ? (kind as ActError['kind']) : 'garbage';
  return [
    { ...evidence, error: { kind: known, message: String(message) } },
    sentBytes === undefined ? 0 : sent,
  ];
}
