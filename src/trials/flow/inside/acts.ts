/** Everything that a flow can do to the system: each act is a step, done by the drivers that YAML uses too. */
import type { StepKind } from '../../document/step-documents.ts';
import type { RawMap } from '../../read/placed.ts';
import type {
  ActOptions,
  CommandEvidence,
  FlowContext,
  HttpDriver,
  HttpEvidence,
  HttpOptions,
  McpDriver,
  McpEvidence,
  McpOptions,
  McpProgram,
  ServiceDriver,
} from '../flow-context.ts';
import type { ActSettings } from '../flow-message.ts';
import { connectionOn, programOn } from './connections.ts';
import { durationText, type FlowDesk } from './flow-desk.ts';
import type { Answered } from './performer-line.ts';
import { plainCopy, plainPattern } from './plain-copy.ts';

/** Asks for the step at once, so that acts of one turn can begin behind one barrier. */
export type DoAct = (kind: StepKind, spec: RawMap, options: ActOptions) => Promise<Answered>;

export function actsOf(
  desk: FlowDesk,
): Pick<FlowContext, 'http' | 'mcp' | 'tcp' | 'command' | 'service' | 'quiet'> {
  const act: DoAct = async (kind, spec, options) =>
    desk.line.ask(
      {
        do: 'act',
        kind,
        spec: plainCopy(spec, `what is given to ${kind}`) as RawMap,
        settings: settingsOf(options),
      },
      desk.call(),
    );
  return {
    http: (target, defaults = {}) => httpDriver(desk, act, target, defaults),
    mcp: (server, defaults = {}) => mcpDriver(desk, act, server, defaults),
    tcp: async (target, options = {}) => {
      const { rest, settings } = divide(options);
      return connectionOn(desk, act, await act('tcp', { tcp: target, ...rest }, settings));
    },
    command: (async (argv: string | readonly string[], options: ActOptions & { stays?: true } = {}) => {
      const { rest, settings } = divide(options);
      const answer = await act('command', { command: argv, ...rest }, settings);
      return options.stays ? programOn(desk, act, answer) : desk.received<CommandEvidence>(answer);
    }) as FlowContext['command'],
    service: (name) => serviceDriver(desk, act, name),
    quiet: async (options = {}) => {
      const { rest, settings } = divide(options);
      await act('quiet', { quiet: true, ...rest }, settings);
    },
  };
}

function httpDriver(desk: FlowDesk, act: DoAct, target: string, defaults: HttpOptions): HttpDriver {
  const request = async <Json>(method: string, path: string, options: HttpOptions = {}) => {
    const { rest, settings } = divide({ ...defaults, ...options, ...headersOf(defaults, options) });
    const line = `${method.toUpperCase()} ${target}${/^(?:[/?]|$)/.test(path) ? '' : '/'}${path}`;
    return desk.received<HttpEvidence<Json>>(await act('http', { http: line, ...rest }, settings));
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, options) => request('POST', path, options),
    put: (path, options) => request('PUT', path, options),
    patch: (path, options) => request('PATCH', path, options),
    delete: (path, options) => request('DELETE', path, options),
  };
}

function mcpDriver(desk: FlowDesk, act: DoAct, server: string | McpProgram, defaults: McpOptions): McpDriver {
  const ask = async <Result>(spec: RawMap, options: McpOptions = {}) => {
    const { rest, settings } = divide({ ...defaults, ...options, ...headersOf(defaults, options) });
    return desk.received<McpEvidence<Result>>(await act('mcp', { mcp: server, ...spec, ...rest }, settings));
  };
  return {
    call: (tool, args, options) => ask({ tool, args }, options),
    list: (what, options) => ask({ list: what }, options),
    request: (method, params, options) => ask({ request: method, params }, options),
  };
}

function serviceDriver(desk: FlowDesk, act: DoAct, name: string): ServiceDriver {
  const verb =
    (kind: 'restart' | 'stop' | 'start' | 'kill') =>
    async (options: ActOptions = {}) => {
      const { rest, settings } = divide(options);
      return desk.received<RawMap>(await act(kind, { [kind]: name, ...rest }, settings));
    };
  return { restart: verb('restart'), stop: verb('stop'), start: verb('start'), kill: verb('kill') };
}

type WithHeaders = Pick<HttpOptions, 'headers'>;

/** Those of one act are added to those of all. */
function headersOf(defaults: WithHeaders, options: WithHeaders): WithHeaders {
  if (!defaults.headers && !options.headers) return {};
  return { headers: { ...defaults.headers, ...options.headers } };
}

/** The keys that every act has, and those that its driver has. */
function divide(options: ActOptions): { readonly rest: RawMap; readonly settings: ActOptions } {
  const { as, within, expect, mayFail, ...rest } = options;
  return {
    rest,
    settings: {
      ...(as === undefined ? {} : { as }),
      ...(within === undefined ? {} : { within }),
      ...(expect === undefined ? {} : { expect }),
      ...(mayFail === undefined ? {} : { mayFail }),
    },
  };
}

function settingsOf({ as, within, expect, mayFail }: ActOptions): ActSettings {
  const duration = durationText(within);
  return {
    ...(as === undefined ? {} : { as }),
    ...(duration === undefined ? {} : { within: duration }),
    ...(expect === undefined ? {} : { expect: plainPattern(expect, 'what is expected of an act') }),
    ...(mayFail === undefined ? {} : { mayFail }),
  };
}
