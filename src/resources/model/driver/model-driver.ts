/** A model provider as a resource: all dialects on one port for each consumer, scripted or forwarded. */
import { escapeReferences, fillEarly, mapTexts } from '../../../kernel/references.ts';
import type { ModelSpec } from '../../../system/system.ts';
import {
  type PeerPart,
  type ProvisionedResource,
  type ResourceContext,
  type ResourceDriver,
  wholeAttempt,
} from '../../resource.ts';
import { openConsumerPorts, outsider } from '../../wire/consumer-ports.ts';
import { readAimockFiles } from '../aimock/load-aimock-fixtures.ts';
import type { ModelPlayer } from '../model-call.ts';
import { createReceive } from '../receive-request.ts';
import { checkScript } from '../script/check-script.ts';
import type { ModelScript } from '../script-line.ts';
import { createResponders, type Responders } from './create-responders.ts';

export const modelDriver: ResourceDriver<ModelSpec> = {
  kind: 'model',
  provision: provisionModel,
  sweep: async () => undefined,
};

async function provisionModel(spec: ModelSpec, context: ResourceContext): Promise<ProvisionedResource> {
  const { clock, emit, random } = context;
  const callers = [...new Set([...context.consumers.map(({ name }) => name), outsider])];
  const key = `sk-shakedown-${random.fork('key').hex(32)}`;
  const responders = createResponders({
    spec,
    context,
    key,
    callers,
    standing: await standingLines(spec, callers),
  });
  let attempt = await openAttempt(responders, noPart);
  const receive = createReceive({
    spec,
    key,
    emit,
    at: () => context.at(),
    player: () => attempt.player,
    countCall: (caller) => attempt.countCall(caller),
    seed: () => attempt.seed,
  });
  const ports = await openConsumerPorts({ clock, consumers: context.consumers, onRequest: receive });
  return {
    endpoint: ports.outside,
    endpointFor: ports.endpointFor,
    summary: `model provider, mode ${spec.mode}`,
    died: new Promise(() => undefined),
    references: (_, address) => ({
      url: `http://${address.host}:${address.port}`,
      openaiUrl: `http://${address.host}:${address.port}/v1`,
      host: address.host,
      port: String(address.port),
      key,
    }),
    peer: {
      begin: async (part) => {
        attempt = await openAttempt(responders, part);
      },
      learn: (gave) => attempt.player.learn?.(gave),
      unused: () => attempt.player.unused?.() ?? 0,
      settle: async (ended = wholeAttempt) => {
        const { player } = attempt;
        // Between two attempts no script answers: what a service asks while it starts is not a call of the last trial.
        attempt = await openAttempt(responders, noPart);
        await player.settle(ended);
      },
    },
    stop: async () => {
      await ports.close();
      responders.close();
    },
  };
}

/** Before the first attempt there are the standing lines alone. */
const noPart: PeerPart = { trial: '', attempt: 0, seed: 'before the first attempt', script: undefined };

interface Attempt {
  readonly player: ModelPlayer;
  readonly seed: string;
  countCall(caller: string): number;
}

async function openAttempt(responders: Responders, part: PeerPart): Promise<Attempt> {
  const counts = new Map<string, number>();
  return {
    player: await responders.play(part),
    seed: part.seed,
    countCall: (caller) => {
      const count = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, count);
      return count;
    },
  };
}

async function standingLines(spec: ModelSpec, callers: readonly string[]): Promise<ModelScript> {
  const where = `resource ${spec.name}, standing lines`;
  const fixtures = await readAimockFiles(spec.fixtures);
  const literal = mapTexts(fixtures, escapeReferences) as typeof fixtures;
  const standing = checkScript(mapTexts(spec.standing, keepRequests), { where, callers });
  if (fixtures.length === 0) return standing;
  return { ...standing, '*': [...(standing['*'] ?? []), ...literal] };
}

/** Of a config, only what the request holds is filled in. */
function keepRequests(text: string): unknown {
  return fillEarly(
    text,
    (head) => head === 'request',
    (written) => written,
  );
}
