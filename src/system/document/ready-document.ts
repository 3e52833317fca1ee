/** When a service counts as ready, as written. */
import { z } from 'zod';
import {
  type Advice,
  closed,
  duration,
  expression,
  issueOf,
  name,
  text,
  whole,
} from '../../kinds/kind/values.ts';
import { type ReadyProbe, readyProbes } from './ready-probes.ts';

export interface ReadyDocument {
  http?: string | undefined;
  tcp?: true | string | undefined;
  handshake?: { codec: string; expect: unknown; send?: unknown } | undefined;
  command?: string[] | undefined;
  log?: string | undefined;
  health?: true | undefined;
  allOf?: ReadyDocument[] | undefined;
  anyOf?: ReadyDocument[] | undefined;
  within?: string | undefined;
  every?: string | undefined;
  inARow?: number | undefined;
  listener?: string | undefined;
  status?: unknown;
  json?: unknown;
  body?: unknown;
  firstBytes?: string | undefined;
  send?: string | undefined;
}

type Probe = keyof typeof readyProbes | 'allOf' | 'anyOf';
const probes = [...Object.keys(readyProbes), 'allOf', 'anyOf'] as readonly Probe[];

/** Each key that means something only beside some probes, with these. */
const companions = Map.groupBy(
  Object.entries<ReadyProbe>(readyProbes).flatMap(([probe, { beside = [] }]) =>
    beside.map((key) => ({ key, probe })),
  ),
  ({ key }) => key,
);

const inARowRule = 'a whole number from 1 to 1000';

const ready = closed(
  {
    ...Object.fromEntries(Object.entries(readyProbes).map(([key, { value }]) => [key, value.optional()])),
    get allOf() {
      return conditions.describe('All of these hold.').optional();
    },
    get anyOf() {
      return conditions.describe('One of these holds.').optional();
    },
    within: duration.describe('How long it may take; `30s` when absent.').optional(),
    every: duration.describe('The pause between two probes.').optional(),
    inARow: whole(inARowRule, 1, 1_000).describe('The number of successes in a row.').optional(),
    listener: name.describe('The listener to ask; the first when absent.').optional(),
    status: z.unknown().describe('A pattern for the status code.').optional(),
    json: z.unknown().describe('A pattern for the body, read as JSON.').optional(),
    body: z.unknown().describe('A pattern for the body as text.').optional(),
    firstBytes: expression
      .describe('A regular expression for the first bytes of an endless stream.')
      .optional(),
    send: text.describe('Text to send before looking at the first bytes.').optional(),
  },
  'a readiness condition',
);

export const readyDocument: z.ZodType<ReadyDocument, ReadyDocument> = ready.superRefine(
  (written, context) => {
    for (const { key, message, ...advice } of oddities(written))
      context.addIssue(issueOf(message, { ...advice, at: 'key' }, key));
  },
);

const conditions = z
  .array(
    z.lazy(() => readyDocument),
    'a list of conditions',
  )
  .min(1, 'at least one condition');

interface Oddity extends Advice {
  readonly key?: string;
  readonly message: string;
}

function oddities(written: ReadyDocument): Oddity[] {
  const [probe, other] = probes.filter((candidate) => written[candidate] !== undefined);
  const message = `exactly one of ${probes.join(', ')}`;
  if (!probe) {
    const next = "add `http: '/health'` or `tcp: true`";
    return [{ message, what: 'the condition has no probe', next, absence: true }];
  }
  if (other) {
    const what = `the condition has both \`${probe}\` and \`${other}\``;
    return [{ key: other, message, what, next: `write \`allOf: [{ ${probe}: … }, { ${other}: … }]\`` }];
  }
  const strays = [...companions].filter(
    ([key, owners]) => written[key] !== undefined && !owners.some((one) => one.probe === probe),
  );
  const problems = strays.map(([key, owners]) => ({
    key,
    message: `\`${key}\` beside ${owners.map((one) => one.probe).join(' or ')}`,
    what: `\`${key}\` cannot be combined with \`${probe}\``,
    next: `remove \`${key}\``,
  }));
  return typeof written.tcp === 'string' && written.listener !== undefined
    ? [...problems, twoListeners]
    : problems;
}

const twoListeners: Oddity = {
  key: 'listener',
  message: 'one of `tcp: NAME` and `listener: NAME`',
  what: '`tcp` names the listener already',
  next: 'remove `listener`',
};
