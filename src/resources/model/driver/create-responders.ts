/** Creates the responders of an attempt, by the mode of the model. */
import { createRedactor } from '../../../journal/redaction.ts';
import type { ModelSpec } from '../../../system/system.ts';
import { cassetteVersion } from '../../cassette/cassette.ts';
import { findCassette, noCassette } from '../../cassette/cassette-file.ts';
import { openRecording } from '../../cassette/keep-recording.ts';
import type { PeerPart, ResourceContext } from '../../resource.ts';
import { openAgents } from '../../upstream/pass-on.ts';
import { modelCallForm, type RecordedCall } from '../cassette/cassette.ts';
import { playCassette } from '../cassette/cassette-player.ts';
import { recordTape } from '../cassette/record-tape.ts';
import type { ModelPlayer } from '../model-call.ts';
import { checkScript } from '../script/check-script.ts';
import { playScript } from '../script/script-player.ts';
import type { ModelScript } from '../script-line.ts';
import { openBudget } from '../upstream/budget.ts';
import { openUpstreams, type Upstreams } from '../upstream/open-upstreams.ts';
import { answerFromUpstream, type UpstreamPart } from '../upstream/upstream-player.ts';

export interface ResponderOptions {
  readonly spec: ModelSpec;
  readonly context: ResourceContext;
  /** The environment's own. */
  readonly key: string;
  readonly callers: readonly string[];
  readonly standing: ModelScript;
}

export interface Responders {
  /** Rejects with a problem when the script cannot be played. */
  play(part: PeerPart): ModelPlayer | Promise<ModelPlayer>;
  close(): void;
}

export function createResponders(options: ResponderOptions): Responders {
  const { mode } = options.spec;
  if (mode === 'script') return { play: (part) => scriptPlayer(options, part), close: () => undefined };
  if (mode === 'cassette') return { play: (part) => cassettePlayer(options, part), close: () => undefined };
  return createUpstreamResponders(options);
}

function scriptPlayer({ spec, context, callers, standing }: ResponderOptions, part: PeerPart): ModelPlayer {
  const { clock, emit } = context;
  const where = `trial ${part.trial}, script of ${spec.name}`;
  const script = checkScript(part.script, { where, callers });
  const { name: resource, strict } = spec;
  return playScript({ script, standing, seed: part.seed, strict, resource, clock, emit });
}

/** Before the first attempt nothing is recorded. */
async function cassettePlayer(
  { spec, context, key }: ResponderOptions,
  { trial }: PeerPart,
): Promise<ModelPlayer> {
  const { emit } = context;
  const { name: resource, timing } = spec;
  const nothing = { cassette: cassetteVersion, resource, trial, recordedAt: '', calls: [] } as const;
  const { file, cassette } =
    trial === ''
      ? { file: '', cassette: nothing }
      : await findCassette<RecordedCall>(spec, trial, modelCallForm);
  if (cassette === undefined) throw noCassette(file, trial);
  const redactor = createRedactor({ ...context.secrets, ...secretsOf(spec, {}, key) });
  return playCassette({ cassette, timing, resource, emit, redactor });
}

function createUpstreamResponders(options: ResponderOptions): Responders {
  const { spec, context } = options;
  const upstreams = openUpstreams(spec, context.hostEnv);
  const agents = openAgents();
  const whole = openBudget(spec.budget ?? {}, 'the budget of the run');
  const play = (part: PeerPart): ModelPlayer | Promise<ModelPlayer> => {
    const budgets = [whole, openBudget(part.budget ?? {}, 'the budget of the trial')];
    const parts = { upstreams, agents, budgets, prices: spec.prices };
    if (spec.mode === 'record' && part.trial !== '') return recordingPlayer(options, part, parts);
    return { answer: (call) => answerFromUpstream(call, parts), settle: async () => undefined };
  };
  return { play, close: () => agents.close() };
}

async function recordingPlayer(
  { spec, context, key }: ResponderOptions,
  { trial }: PeerPart,
  part: UpstreamPart,
): Promise<ModelPlayer> {
  const keep = await openRecording({ spec, trial, context });
  const secrets = { ...context.secrets, ...secretsOf(spec, part.upstreams, key) };
  const tape = recordTape(context.clock, createRedactor(secrets));
  let asked = 0;
  return {
    answer: (call) => {
      asked += 1;
      return answerFromUpstream(call, { ...part, tape });
    },
    settle: async ({ isWhole }) => {
      const { calls, tooLarge } = tape.recorded();
      await keep({ calls, secrets, obstacle: obstacleIn(calls, asked, tooLarge), isWhole });
    },
  };
}

/** A provider that was away or broken, and a budget that refused, leave nothing worth playing. */
function obstacleIn(calls: readonly RecordedCall[], asked: number, tooLarge: number): string | undefined {
  if (tooLarge > 0) return `${tooLarge} of the answers go beyond 64 MB together`;
  const broken = calls.find(({ response }) => response.status >= 500);
  if (broken) return `call ${broken.call} of ${broken.caller} was answered with ${broken.response.status}`;
  const lost = asked - calls.length;
  if (lost === 0) return undefined;
  return `${lost} of ${asked} calls ${lost === 1 ? 'was' : 'were'} not answered by the provider`;
}

function secretsOf(spec: ModelSpec, upstreams: Upstreams, key: string): Record<string, string> {
  return Object.fromEntries([
    ...Object.values(upstreams).map((upstream) => [upstream.keyName, upstream.key]),
    ...(spec.keys ?? []).map((one, index) => [`${spec.name}.keys.${index + 1}`, one]),
    [`${spec.name}.key`, key],
  ]);
}
