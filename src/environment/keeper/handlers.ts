/** The request handlers of the keeper. */
import type { DatabaseFacts, EnvironmentFacts, ServiceFacts } from '../../journal/environment-facts.ts';
import { fromOutside } from '../../journal/outside-text.ts';
import { redactEvent } from '../../journal/redact-event.ts';
import { type EdgeEnds, edgeOf } from '../../kernel/edge-name.ts';
import { Problem } from '../../kernel/problem.ts';
import { isAttached } from '../../system/attached/attached-services.ts';
import type { ServiceSpec } from '../../system/system.ts';
import type { Disturbance } from '../../taps/disturbance.ts';
import type { ExchangeRule } from '../../taps/exchanges/exchange-rule.ts';
import type { Tap } from '../../taps/tap.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import type { EnvironmentState } from '../environment-status.ts';
import { createLookup } from '../lookup.ts';
import { actOnService, runningPid } from '../renewal/act-on-service.ts';
import { renew } from '../renewal/renew.ts';
import { outside } from '../wiring/edges.ts';
import { ownFolders } from '../wiring/hermetic-env.ts';
import { resolveKnown, resolveText } from '../wiring/resolve.ts';
import { shimFolders } from '../wiring/shims.ts';
import { findStdioEdge, recordStdioCall } from '../wiring/stdio-edge.ts';
import { describeStatus } from './describe-status.ts';
import { beginPeers, sendStepResults, settlePeers } from './direct-peers.ts';
import { runInsideService } from './inside-service.ts';
import type { KeeperParts } from './keeper-parts.ts';
import type { Client, Handlers } from './keeper-server.ts';
import type { Traffic } from './messages.ts';
import { orderShape, placeStdioRules, recordShape } from './stdio-shapes.ts';
import { waitForQuiet } from './wait-for-quiet.ts';
import type { WayDown } from './way-down.ts';

export function handlersFor(parts: KeeperParts, wayDown: WayDown, state: () => EnvironmentState): Handlers {
  const { plan, pids, ledger, redactor, journal, backlog, environment } = parts;
  const lookup = createLookup(environment.context, { kind: 'job', name: outside }, undefined);
  const admit = oneAtATime();
  return {
    ping: () => undefined,
    subscribe: ({ as }, client) => {
      if (as === 'run') admit(client);
      return { missed: backlog.follow(client) };
    },
    status: () => describeStatus(environment.context, plan, state(), pids),
    down: ({ because, forceStop }) =>
      wayDown.take({ cause: 'asked', because, forceStop: forceStop ?? false }),
    facts: () => describeFacts(environment.context),
    quiet: async (patience) => {
      const quiet = await waitForQuiet(environment.context, patience);
      return { ...quiet, inFlight: quiet.inFlight.map((call) => redactEvent(fromOutside(call), redactor)) };
    },
    traffic: () => describeTraffic(environment.context),
    service: ({ name, do: action }) =>
      environment.change((signal) => actOnService(environment.context, name, action, signal)),
    inside: (wish) => runInsideService(environment.context, wish),
    renew: ({ level }) => environment.change((signal) => renew(environment.context, level, signal)),
    peersBegin: (part) => beginPeers(environment.context, part),
    peersLearn: (gave) => sendStepResults(environment.context, gave),
    peersSettle: (ended) => settlePeers(environment.context, ended),
    stdioCall: ({ call }, tap) => recordStdioCall(environment.context, call, tap),
    stdioAsked: (asked) => orderShape(environment.context, asked),
    stdioMet: (met) => recordShape(environment.context, met),
    disturbExchanges: ({ rules, ...edge }) => disturbExchanges(environment.context, edge, rules),
    disturb: ({ rule, ...edge }) => disturbEdge(environment.context, edge, rule),
    resolve: ({ texts }) => ({ texts: texts.map((text) => resolveKnown(text, lookup)) }),
    commandStarted: ({ argv, process: identity, files }) => {
      ledger.write({ entry: 'command', process: identity, ...(files ? { files } : {}) });
      journal.emit({ type: 'command.started', argv, pid: identity.pid });
    },
    commandEnded: ({ pid, code, signal }) => {
      ledger.write({ entry: 'command-ended', pid });
      journal.emit({ type: 'command.exited', pid, code, signal });
    },
  };
}

/** The state of the keeper in the form that observers need. */
function describeFacts(context: EnvironmentContext): EnvironmentFacts {
  const { system } = context;
  return {
    services: system.services.map((spec) => serviceFacts(context, spec)),
    databases: system.resources.flatMap(({ name }) => databaseFacts(context, name)),
    stores: system.resources.flatMap(({ name }) =>
      (nodeOf(context, name).resource?.stores?.() ?? []).map((store) => ({ resource: name, ...store })),
    ),
    volumes: system.resources.flatMap(({ name }) => {
      const folder = nodeOf(context, name).resource?.sharedFolder;
      return folder === undefined ? [] : [{ name, folder }];
    }),
  };
}

function serviceFacts(context: EnvironmentContext, spec: ServiceSpec): ServiceFacts {
  const { name } = spec;
  const { starts, logFile, addresses } = nodeOf(context, name);
  const listeners = spec.listen.flatMap(({ name: listener, scheme }) => {
    const address = addresses.get(listener);
    return address
      ? [{ name: listener, scheme, ...address, url: `${scheme}://${address.host}:${address.port}` }]
      : [];
  });
  return {
    name,
    pid: runningPid(context, name),
    ...containerFacts(context, spec),
    ...(isAttached(spec) ? { attached: true as const } : {}),
    starts,
    logFile,
    listeners,
    folders: ownFolders(context.workspace, name),
    shims: shimFolders(context.workspace, spec),
    ...storePassword(context, spec),
  };
}

/** As `redis-server` takes it: those who look past the taps need it, too. */
function storePassword(context: EnvironmentContext, spec: ServiceSpec): Partial<ServiceFacts> {
  const { name, run, container } = spec;
  const words = container ? (container.command ?? []) : run;
  const at = words.indexOf('--requirepass');
  const text = at < 0 ? undefined : words[at + 1];
  if (text === undefined) return {};
  const lookup = createLookup(context, { kind: 'service', name }, undefined);
  return { storePassword: resolveText(text, lookup, `service ${name}, --requirepass`) };
}

/** Where the engine runs in a virtual machine, a pid there means nothing here. */
function containerFacts(
  context: EnvironmentContext,
  { name, container }: ServiceSpec,
): Partial<ServiceFacts> {
  const { containers } = context;
  if (!container || !containers) return {};
  const box = { container: nodeOf(context, name).made?.name ?? `the container of ${name}` };
  return containers.isDirect ? box : { ...box, pid: null, unseen: inVirtualMachine };
}

const inVirtualMachine =
  'its container runs in a virtual machine of the engine, whose processes cannot be seen from here';

function databaseFacts(context: EnvironmentContext, resource: string): readonly DatabaseFacts[] {
  const places = nodeOf(context, resource).resource?.places?.() ?? [];
  return places.map((place) => ({ resource, ...place }));
}

/** What one run does must not be evidence of another. */
function oneAtATime(): (client: Client) => void {
  let isTaken = false;
  return (client) => {
    if (isTaken)
      throw new Problem({
        code: 'usage.in-use',
        where: 'the environment that is up',
        what: 'another run uses it',
        allowed: 'one run at a time in an environment: what one does would be evidence of the other',
        next: 'wait for its end, or leave out --attach: each run then boots its own environment',
      });
    isTaken = true;
    client.onGone(() => {
      isTaken = false;
    });
  };
}

/** How much has crossed each edge, to find out which were used in a period. */
function describeTraffic({ book, clock, at }: EnvironmentContext): Traffic {
  return {
    edges: book.taps.map(({ tap }) => {
      const { bytesSent, bytesReceived } = tap.stats();
      return { from: tap.from, to: tap.to, bytesSent, bytesReceived };
    }),
    at: at?.() ?? clock.monotonic(),
  };
}

/** Puts a rule on the taps of an edge. */
async function disturbEdge(context: EnvironmentContext, edge: EdgeEnds, rule: Disturbance): Promise<void> {
  const taps = tapsOf(context, edge);
  for (const tap of taps) {
    if (rule.rule === 'pass') context.disturbed.delete(tap);
    else context.disturbed.add(tap);
  }
  await Promise.all(taps.map((tap) => tap.disturb(rule)));
}

async function disturbExchanges(
  context: EnvironmentContext,
  edge: EdgeEnds,
  rules: readonly ExchangeRule[],
): Promise<void> {
  if (findStdioEdge(context, edge)) placeStdioRules(context, edge, rules);
  else await Promise.all(tapsOf(context, edge).map((tap) => tap.disturbExchanges(rules)));
}

function tapsOf({ book }: EnvironmentContext, edge: EdgeEnds): readonly Tap[] {
  const taps = book.taps.flatMap(({ tap }) => (edgeOf(tap) === edgeOf(edge) ? [tap] : []));
  if (taps.length > 0) return taps;
  throw new Problem({
    code: 'config.unknown-name',
    where: `edge ${edgeOf(edge)}`,
    what: 'there is no such edge',
    allowed: book.taps.map(({ tap }) => edgeOf(tap)).join(', '),
    next: 'see `shakedown status` for the edges of this environment',
  });
}
