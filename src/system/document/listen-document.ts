/** How the ports of a service are chosen, as written. */
import { z } from 'zod';
import {
  type Advice,
  choice,
  closed,
  issueOf,
  mark,
  name,
  portExpression,
  variableName,
  whole,
} from '../../kinds/kind/values.ts';

const ways = ['env', 'log', 'port', 'auto'] as const;
/** These follow `self.` or a service's name in `${…}` and mean something else there. */
const takenNames = ['url', 'host', 'port', 'dir', 'name', 'home', 'tmp'];
const listenRule =
  "'auto', { env: 'PORT' }, { log: 'listening on .*:(\\d+)' }, { port: 8100 }, or a list of these";
const portRule = 'a port from 1 to 65535';

export const listenerName = name.refine(
  (written) => !takenNames.includes(written),
  `a name other than ${takenNames.join(', ')}`,
);

const listener = closed(
  {
    env: variableName
      .describe('Shakedown chooses a port and sets this environment variable to it.')
      .optional(),
    log: portExpression
      .describe('The service chooses, and prints a line in which this regular expression captures the port.')
      .optional(),
    port: whole(portRule, 1, 65_535).describe('The service always listens here.').optional(),
    auto: mark('Shakedown chooses a port; the service gets it from `${self.port}`.'),
    name: listenerName
      .describe('For `${service.NAME.url}`; the first listener is called `main` when it has none.')
      .optional(),
    scheme: z
      .string('a scheme such as `http`')
      .regex(/^[a-z][a-z0-9+.-]*$/, 'a scheme such as `http`, `ws` or `tcp`, without ://')
      .describe('What `${service.url}` begins with; `http` when absent.')
      .optional(),
    hostHeader: choice(
      ['kept', 'own'],
      'The `Host` that requests arrive with: as sent, or the address of this listener; `kept` when absent.',
    ),
  },
  'a listener',
).superRefine((written, context) => {
  const given = ways.filter((way) => written[way] !== undefined);
  if (given.length === 1) return;
  const params: Advice = {
    what:
      given.length === 0
        ? 'the listener does not say how its port is chosen'
        : `the listener has both \`${given[0]}\` and \`${given[1]}\``,
    next: given.length === 0 ? "add `env: 'PORT'`, or write 'auto'" : `remove \`${given[1]}\``,
    at: 'key',
    absence: given.length === 0,
  };
  context.addIssue(issueOf(`exactly one of ${ways.join(', ')}`, params, given[1]));
});

const auto = z.literal('auto', listenRule);
const port = whole(listenRule, 1, 65_535);

export const listenDocument = z
  .union(
    [
      auto,
      port,
      listener,
      z.array(z.union([auto, port, listener], listenRule), listenRule).min(1, 'at least one listener'),
    ],
    listenRule,
  )
  .describe(
    'The ports of the service: how each is chosen and passed on. Of a container, the port itself: `listen: 8000`.',
  );

export type ListenerDocument = z.input<typeof listener>;
export type ListenDocument = z.input<typeof listenDocument>;
