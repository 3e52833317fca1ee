/** Every readiness probe by its key, apart from what performs it. */
import { z } from 'zod';
import { closed, expression, name, text } from '../../kinds/kind/values.ts';

export interface ReadyProbe {
  /** What is written under its key. */
  readonly value: z.ZodType;
  /** It connects to a port of the service. */
  readonly needsListener?: true;
  /** Keys that mean something beside it. */
  readonly beside?: readonly ('listener' | 'status' | 'json' | 'body' | 'firstBytes' | 'send')[];
  /** What `${` means in its texts: a reference, or part of a regular expression; nothing where absent. */
  readonly texts?: 'ready' | 'expression';
}

const pathRule = 'a path that begins with /, such as `/health`';
const listenerRule = 'true, or the name of a listener';
const codecs = 'hex6-sexp, newline-json, content-length-json';

export const readyProbes = {
  http: {
    value: z.string(pathRule).regex(/^\//, pathRule).describe('GET this path; 200 to 299 means ready.'),
    needsListener: true,
    beside: ['listener', 'status', 'json', 'body', 'firstBytes'],
  },
  tcp: {
    value: z.union([z.literal(true, listenerRule), name], listenerRule).describe('A connection is accepted.'),
    needsListener: true,
    beside: ['listener', 'firstBytes', 'send'],
  },
  handshake: {
    value: closed(
      {
        codec: text.describe(`How messages are framed: ${codecs}.`),
        expect: z
          .unknown()
          .refine((pattern) => pattern !== undefined, 'a pattern for the first message')
          .describe('A pattern for the first message of the service.'),
        send: z.unknown().describe('A message to send first.').optional(),
      },
      'a handshake',
    ).describe('A framed message arrives that matches.'),
    needsListener: true,
    beside: ['listener'],
  },
  command: {
    value: z.array(text, 'a list of texts').min(1, 'at least one text').describe('This command ends with 0.'),
    texts: 'ready',
  },
  log: {
    value: expression.describe('A line of the service matches this regular expression.'),
    texts: 'expression',
  },
  health: {
    value: z.literal(true, 'true').describe('The healthcheck of the container succeeds.'),
  },
} as const satisfies Readonly<Record<string, ReadyProbe>>;
