/** Who answers in an attempt, by the mode of the model. */
import { createRedactor } from '../../journal/redaction.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ModelSpec } from '../../system/system.ts';
import type { PeerPart, ResourceContext } from '../resource.ts';
import { cassetteVersion } from './cassette/cassette.ts';
import {
  cassetteFile,
  noCassette,
  readCassette,
  refuseForeign,
  writeCassette,
} from './cassette/cassette-file.ts';
import { playCassette } from './cassette/cassette-player.ts';
import { recordTape } from './cassette/record-tape.ts';
import type { ModelPlayer } from './model-call.ts';
import { checkScript } from './script/check-script.ts';
import { playScript } from './script/script-player.ts';
import type { ModelScript } from './script-line.ts';
import { type Budget, openBudget } from './upstream/budget.ts';
import { openUpstreams, type Upstreams } from './upstream/open-upstreams.ts';
import {
  answerFromUpstream,
  openAgents,
  type Tape,
  type UpstreamAgents,
} from './upstream/upstream-player.ts';

export interface CastOptions {
  readonly spec: ModelSpec;
  readonly context: Pick<ResourceContext, 'clock' | 'emit' | 'hostEnv' | 'secrets'>;
  /** The environment's own. */
  readonly key: string;
  readonly callers: readonly string[];
  readonly standing: ModelScript;
}

export interface Cast {
  /** Rejects with a problem when the part cannot be played. */
  play(part: PeerPart): ModelPlayer | Promise<ModelPlayer>;
  close(): void;
}

export function castPlayers(options: CastOptions): Cast {
  const { mode } = options.spec;
  if (mode === 'script') return { play: (part) => scriptPlayer(options, part), close: () => undefined };
  if (mode === 'cassette') return { play: (part) => cassettePlayer(options, part), close: () => undefined };
  return castUpstream(options);
}

function scriptPlayer({ spec, context, callers, standing }: CastOptions, part: PeerPart): ModelPlayer {
  const { clock, emit } = context;
  const where = `trial ${part.trial}, script of ${spec.name}`;
  const script = checkScript(part.script, { where, callers });
  return playScript({ script, standing, seed: part.seed, resource: spec.name, clock, emit });
}

/** Before the first attempt nothing is recorded of anybody. */
async function cassettePlayer(
  { spec, context, key }: CastOptions,
  { trial }: PeerPart,
): Promise<ModelPlayer> {
  const { emit } = context;
  const { name: resource, timing } = spec;
  const file = cassetteFile(spec.cassettes, trial);
  const cassette =
    trial === ''
      ? ({ cassette: cassetteVersion, resource, trial, recordedAt: '', calls: [] } as const)
      : await readCassette(file, trial);
  if (cassette === undefined) throw noCassette(file, trial);
  refuseForeign(cassette, file, { resource, trial });
  const redactor = createRedactor({ ...context.secrets, ...secretsOf(spec, {}, key) });
  return playCassette({ cassette, timing, resource, emit, redactor });
}

function castUpstream(options: CastOptions): Cast {
  const { spec, context } = options;
  const upstreams = openUpstreams(spec, context.hostEnv);
  const agents = openAgents();
  const whole = openBudget(spec.budget ?? {}, 'the budget of the run');
  const play = (part: PeerPart): ModelPlayer | Promise<ModelPlayer> => {
    const budgets = [whole, openBudget(part.budget ?? {}, 'the budget of the trial')];
    const stage = { upstreams, agents, budgets, prices: spec.prices };
    if (spec.mode === 'record' && part.trial !== '') return recordingPlayer(options, part, stage);
    return { answer: (call) => answerFromUpstream(call, stage), settle: async () => undefined };
  };
  return { play, close: () => agents.close() };
}

interface Stage {
  readonly upstreams: Upstreams;
  readonly agents: UpstreamAgents;
  readonly budgets: readonly Budget[];
  readonly prices: ModelSpec['prices'];
}

/** A recording that is there already must be one of the same trial, because it will be replaced. One that is broken may go. */
async function recordingPlayer(
  { spec, context, key }: CastOptions,
  { trial }: PeerPart,
  stage: Stage,
): Promise<ModelPlayer> {
  const file = cassetteFile(spec.cassettes, trial);
  const old = await readCassette(file, trial).catch(() => 'what cannot be read is recorded over');
  if (typeof old === 'object') refuseForeign(old, file, { resource: spec.name, trial });
  const { clock } = context;
  const tape = recordTape(
    clock,
    createRedactor({ ...context.secrets, ...secretsOf(spec, stage.upstreams, key) }),
  );
  const part: Stage & { readonly tape: Tape } = { ...stage, tape };
  let asked = 0;
  return {
    answer: (call) => {
      asked += 1;
      return answerFromUpstream(call, part);
    },
    settle: async () => {
      const { calls, tooLarge } = tape.recorded();
      if (tooLarge > 0) throw tooMuch(file, tooLarge);
      // A provider that was away or broken, and a budget that refused, leave nothing worth playing: what is there stays.
      const isWhole = calls.length === asked && calls.every(({ response }) => response.status < 500);
      if (!isWhole) return;
      const recordedAt = new Date(clock.now()).toISOString();
      await writeCassette(file, { cassette: cassetteVersion, resource: spec.name, trial, recordedAt, calls });
    },
  };
}

function secretsOf(spec: ModelSpec, upstreams: Upstreams, key: string): Record<string, string> {
  return Object.fromEntries([
    ...Object.values(upstreams).map((upstream) => [upstream.keyName, upstream.key]),
    ...(spec.keys ?? []).map((one, index) => [`${spec.name}.keys.${index + 1}`, one]),
    [`${spec.name}.key`, key],
  ]);
}

function tooMuch(file: string, calls: number): Problem {
  return new Problem({
    code: 'cassette.unreadable',
    where: file,
    what: `${calls} of the recorded answers go beyond 64 MB together`,
    allowed: 'answers of at most 64 MB in one trial',
    next: 'record a smaller trial',
  });
}
