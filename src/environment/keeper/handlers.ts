/** What the keeper does when it is asked. */
import { fromOutside } from '../../journal/outside-text.ts';
import { redactEvent } from '../../journal/redact-event.ts';
import type { EnvironmentState } from '../environment-status.ts';
import { actOnService } from '../renewal/act-on-service.ts';
import { renew } from '../renewal/renew.ts';
import { outside } from '../wiring/edges.ts';
import { createLookup } from '../wiring/lookup.ts';
import { resolveKnown } from '../wiring/resolve.ts';
import { describeFacts } from './describe-facts.ts';
import { describeStatus } from './describe-status.ts';
import { describeTraffic } from './describe-traffic.ts';
import { beginPeers, settlePeers, tellPeers } from './direct-peers.ts';
import { disturbEdge, disturbExchanges } from './disturb-edge.ts';
import type { KeeperParts } from './keeper-parts.ts';
import type { Handlers } from './keeper-server.ts';
import { createStdioCalls } from './stdio-calls.ts';
import { orderShape, tellShape } from './stdio-shapes.ts';
import { waitForQuiet } from './wait-for-quiet.ts';
import type { WayDown } from './way-down.ts';

export function handlersFor(parts: KeeperParts, wayDown: WayDown, state: () => EnvironmentState): Handlers {
  const { plan, pids, ledger, redactor, journal, backlog, environment } = parts;
  const lookup = createLookup(environment.context, { kind: 'job', name: outside }, undefined);
  return {
    ping: () => ({}),
    subscribe: (_, client) => ({ missed: backlog.follow(client) }),
    status: () => describeStatus(environment.context, plan, state(), pids),
    down: ({ because, hurry }) => wayDown.take({ cause: 'asked', because, hurry: hurry ?? false }),
    facts: () => describeFacts(environment.context),
    quiet: async (patience) => {
      const quiet = await waitForQuiet(environment.context, patience);
      return { ...quiet, inFlight: quiet.inFlight.map((call) => redactEvent(fromOutside(call), redactor)) };
    },
    traffic: () => describeTraffic(environment.context),
    service: ({ name, do: action }) =>
      environment.change((signal) => actOnService(environment.context, name, action, signal)),
    renew: ({ level }) => environment.change((signal) => renew(environment.context, level, signal)),
    peersBegin: (part) => beginPeers(environment.context, part),
    peersLearn: (gave) => tellPeers(environment.context, gave),
    peersSettle: (ended) => settlePeers(environment.context, ended),
    stdioCall: createStdioCalls(environment.context),
    stdioAsked: (asked) => orderShape(environment.context, asked),
    stdioMet: (met) => tellShape(environment.context, met),
    disturbExchanges: ({ from, to, rules }) => disturbExchanges(environment.context, from, to, rules),
    disturb: ({ from, to, rule }) => disturbEdge(environment.context, from, to, rule),
    resolve: ({ texts }) => ({ texts: texts.map((text) => resolveKnown(text, lookup)) }),
    commandStarted: ({ argv, process: identity, files }) => {
      ledger.write({ entry: 'command', process: identity, ...(files ? { files } : {}) });
      journal.emit({ type: 'command.started', argv, pid: identity.pid });
      return {};
    },
    commandEnded: ({ pid, code, signal }) => {
      ledger.write({ entry: 'command-ended', pid });
      journal.emit({ type: 'command.exited', pid, code, signal });
      return {};
    },
  };
}
