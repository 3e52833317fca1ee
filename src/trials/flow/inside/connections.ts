/** What stays open after the act that opened it: a connection, or a program. */
import type { RawMap } from '../../read/placed.ts';
import type {
  ActOptions,
  CommandEvidence,
  Connection,
  ConnectionEvidence,
  Program,
  ReceiveOptions,
} from '../flow-context.ts';
import type { DoAct } from './acts.ts';
import type { FlowDesk } from './flow-desk.ts';
import { untilSeen } from './observations.ts';
import type { Answered } from './performer-line.ts';

/** What can be asked of either. */
interface Line<Evidence> {
  say(spec: RawMap, options: ActOptions | undefined): Promise<Evidence>;
  until: (pattern: unknown, options?: { readonly within?: string }) => Promise<Evidence>;
  /** All that was heard, as of the last answer. */
  soFar(): Evidence;
}

export function connectionOn(desk: FlowDesk, act: DoAct, opened: Answered): Connection {
  const line = lineOn<ConnectionEvidence>(desk, act, opened);
  const connection: Connection = {
    send: (message, options = {}) => line.say({ send: message, ...receiveOf(options) }, options),
    sendRaw: (bytes, options = {}) => line.say({ sendRaw: bytes, ...receiveOf(options) }, options),
    until: line.until,
    close: (how = 'full', options = {}) => line.say({ end: how }, options),
    get received() {
      return line.soFar().received;
    },
  };
  desk.watches(connection, soFarOf(opened));
  return connection;
}

export function programOn(desk: FlowDesk, act: DoAct, opened: Answered): Program {
  const line = lineOn<CommandEvidence>(desk, act, opened);
  const program: Program = {
    send: (text, options) => line.say({ send: text }, options),
    signal: (name, options) => line.say({ signal: name }, options),
    end: (options) => line.say({ end: 'half' }, options),
    exited: (options) => line.say({ awaitExit: true }, options),
    until: line.until,
    get stdout() {
      return line.soFar().stdout;
    },
    get stderr() {
      return line.soFar().stderr;
    },
  };
  desk.watches(program, soFarOf(opened));
  return program;
}

function lineOn<Evidence>(desk: FlowDesk, act: DoAct, opened: Answered): Line<Evidence> {
  let soFar = opened.soFar;
  return {
    say: async (spec, options = {}) => {
      const answer = await act('on', { on: opened.connection, ...spec }, options);
      soFar = answer.soFar;
      return desk.received(answer);
    },
    until: async (pattern, options) => {
      const seen = await untilSeen<Evidence>(desk, soFarOf(opened), pattern, options);
      soFar = seen;
      return seen;
    },
    soFar: () => soFar as Evidence,
  };
}

function soFarOf({ connection }: Answered) {
  return { kind: 'exchange', raw: { exchange: `${connection}-so-far` } } as const;
}

function receiveOf({ receive }: ReceiveOptions): RawMap {
  return receive === undefined ? {} : { receive };
}
