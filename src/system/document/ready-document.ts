/** When a service counts as ready, as written. */
import { z } from 'zod';
import { type Advice, closed, duration, expression, name, text } from './values.ts';

export interface ReadyDocument {
  http?: string | undefined;
  tcp?: true | string | undefined;
  handshake?: { codec: string; expect: unknown; send?: unknown } | undefined;
  command?: string[] | undefined;
  log?: string | undefined;
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

export const probes = ['http', 'tcp', 'handshake', 'command', 'log', 'allOf', 'anyOf'] as const;
export type Probe = (typeof probes)[number];

/** The keys that mean something only beside one of these probes. */
const companions: Readonly<Partial<Record<keyof ReadyDocument, readonly Probe[]>>> = {
  listener: ['http', 'tcp', 'handshake'],
  status: ['http'],
  json: ['http'],
  body: ['http'],
  firstBytes: ['http', 'tcp'],
  send: ['tcp'],
};

const pathRule = 'a path that begins with /, such as `/health`';
const inARowRule = 'a whole number from 1 to 1000';
const codecs = 'hex6-sexp, newline-json, content-length-json';

const ready = closed(
  {
    http: z
      .string(pathRule)
      .regex(/^\//, pathRule)
      .describe('GET this path; 200 to 299 means ready.')
      .optional(),
    tcp: z
      .union([z.literal(true, 'true, or the name of a listener'), name], 'true, or the name of a listener')
      .describe('A connection is accepted.')
      .optional(),
    handshake: closed(
      {
        codec: text.describe(`How messages are framed: ${codecs}.`),
        expect: z
          .unknown()
          .refine((pattern) => pattern !== undefined, 'a pattern for the first message')
          .describe('A pattern for the first message of the service.'),
        send: z.unknown().describe('A message to send first.').optional(),
      },
      'a handshake',
    )
      .describe('A framed message arrives that matches.')
      .optional(),
    command: z
      .array(text, 'a list of texts')
      .min(1, 'at least one text')
      .describe('This command ends with 0.')
      .optional(),
    log: expression.describe('A line of the service matches this regular expression.').optional(),
    get allOf() {
      return conditions.describe('All of these hold.').optional();
    },
    get anyOf() {
      return conditions.describe('One of these holds.').optional();
    },
    within: duration.describe('How long it may take; `30s` when absent.').optional(),
    every: duration.describe('The pause between two looks.').optional(),
    inARow: z
      .int(inARowRule)
      .min(1, inARowRule)
      .max(1_000, inARowRule)
      .describe('So many successes one after another.')
      .optional(),
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
    for (const { key, message, ...advice } of oddities(written)) {
      context.addIssue({
        code: 'custom',
        message,
        path: key === undefined ? [] : [key],
        params: { ...advice, at: 'key' },
      });
    }
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
    return [
      {
        message,
        what: 'the condition names no probe',
        next: "add `http: '/health'` or `tcp: true`",
        absence: true,
      },
    ];
  }
  if (other) {
    const what = `the condition has both \`${probe}\` and \`${other}\``;
    return [{ key: other, message, what, next: `write \`allOf: [{ ${probe}: … }, { ${other}: … }]\`` }];
  }
  const strays = Object.entries(companions).filter(
    ([key, owners]) => written[key as keyof ReadyDocument] !== undefined && !owners.includes(probe),
  );
  const told = strays.map(([key, owners]) => ({
    key,
    message: `\`${key}\` beside ${owners.join(' or ')}`,
    what: `\`${key}\` means nothing beside \`${probe}\``,
    next: `remove \`${key}\``,
  }));
  return typeof written.tcp === 'string' && written.listener !== undefined ? [...told, twoListeners] : told;
}

const twoListeners: Oddity = {
  key: 'listener',
  message: 'one of `tcp: NAME` and `listener: NAME`',
  what: '`tcp` names the listener already',
  next: 'remove `listener`',
};
