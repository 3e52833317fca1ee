/** Everything that a flow can do to the system: each act is a step, done by the same drivers as in YAML. */
import { defined } from '../../../kernel/defined.ts';
import type { ActOptions, FlowSteps, OpenLine } from '../../../kinds/kind/flow-method.ts';
import { stepKinds } from '../../../kinds/step-kinds.ts';
import type { RawMap } from '../../read/placed.ts';
import type { ActSettings } from '../flow-message.ts';
import { durationText, type FlowDesk } from './flow-desk.ts';
import { untilSeen } from './observations.ts';
import type { Answered } from './performer-line.ts';
import { plainCopy, plainPattern } from './plain-copy.ts';

/** The methods of each kind of step that has some. */
export function actsOf(desk: FlowDesk): object {
  const ask: AskForStep = async (written, options = {}) => {
    const [kind = ''] = Object.keys(written);
    const spec = plainCopy(written, `what is given to ${kind}`) as RawMap;
    return desk.line.ask({ do: 'act', kind, spec, settings: settingsOf(options) }, desk.call());
  };
  const steps: FlowSteps = {
    act: async (written, options) => desk.received(await ask(withKeys(written, options), options)),
    open: async (written, options, handle) => {
      const opened = await ask(withKeys(written, options), options);
      const thing = handle(lineOn(desk, ask, opened));
      desk.watches(thing, soFarOf(opened));
      return thing;
    },
  };
  return Object.assign({}, ...Object.values(stepKinds).map(({ flow }) => flow?.(steps)));
}

type AskForStep = (written: RawMap, options?: ActOptions) => Promise<Answered>;

/** What is not an option of every act is a key of the step. */
function withKeys(written: RawMap, options: ActOptions = {}): RawMap {
  const { as: _as, within: _within, expect: _expect, mayFail: _mayFail, ...rest } = options;
  return { ...written, ...rest };
}

function lineOn<Result>(desk: FlowDesk, ask: AskForStep, opened: Answered): OpenLine<Result> {
  let { soFar } = opened;
  return {
    say: async (spec, options) => {
      const answer = await ask({ on: opened.connection, ...spec }, options);
      soFar = answer.soFar;
      return desk.received(answer);
    },
    until: async (pattern, options) => {
      const seen = await untilSeen<Result>(desk, soFarOf(opened), pattern, options);
      soFar = seen;
      return seen;
    },
    soFar: () => soFar as Result,
  };
}

function soFarOf({ connection }: Answered) {
  return { kind: 'exchange', raw: { exchange: `${connection}-so-far` } } as const;
}

function settingsOf({ as, within, expect, mayFail }: ActOptions): ActSettings {
  return {
    ...defined({ as, within: durationText(within), mayFail }),
    ...(expect === undefined ? {} : { expect: plainPattern(expect, 'what is expected of an act') }),
  };
}
