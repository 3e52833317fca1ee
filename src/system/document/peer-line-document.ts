/** One line of a third party's script, as written: its answer to one request, and what it sends after that. */
import { z } from 'zod';
import { choice, closed, duration, mark, text, whole } from '../../kinds/kind/values.ts';
import { times } from './model-line-document.ts';

const onRule = 'a method and a path, such as `POST /send` or `GET /users/*`';
const statusRule = 'a status from 100 to 599';
const headers = z.record(z.string(), z.string('a text'), 'a map of headers');

const answerDocument = closed(
  {
    status: whole(statusRule, 100, 599).describe('200 when absent.').optional(),
    headers: headers.optional(),
    json: z.unknown().optional(),
    text: z.string('a text').optional(),
    after: duration.describe('Waited before it.').optional(),
    instead: choice(
      ['close', 'reset', 'hang'],
      'No answer: the connection is closed, reset, or left open in silence.',
    ),
  },
  'an answer',
);

const timesRule = 'a whole number from 1 to 100';

const callbackDocument = closed(
  {
    to: text.describe('A name of `callbacks` in the config, or an address: `${request.json.callback_url}`.'),
    method: text.describe('`POST` when absent.').optional(),
    path: text.describe('After the address.').optional(),
    headers: headers.optional(),
    json: z.unknown().optional(),
    text: z.string('a text').optional(),
    after: duration.describe('Waited before it.').optional(),
    times: whole(timesRule, 1, 100).describe('How often it is sent.').optional(),
    atOnce: mark('All of them at the same moment.'),
    sign: closed(
      {
        header: text.describe('The header that gets the signature.'),
        secret: text.describe('The key of the HMAC. May hold `${env.NAME}`.'),
        prefix: z.string('a text').describe('Written before it, such as `sha256=`.').optional(),
      },
      'a signature',
    )
      .describe('HMAC-SHA256 of the body in hex.')
      .optional(),
  },
  'a callback',
);

export const peerLineDocument = closed(
  {
    on: z
      .string(onRule)
      .regex(/^(?:[A-Z]+|\*) \/\S*$/, onRule)
      .describe('Which requests; `*` is any one segment, `**` any path.'),
    where: z
      .unknown()
      .describe('A pattern over the request: method, path, query, headers, json, text.')
      .optional(),
    answer: answerDocument.describe('200 with an empty body when absent.').optional(),
    callback: z
      .union(
        [callbackDocument, z.array(callbackDocument, 'a list of callbacks')],
        'a callback, or a list of them',
      )
      .describe('What it sends after it has answered.')
      .optional(),
    times: times.describe('How often it is used; once when absent.').optional(),
  },
  'a line of a script',
);

/** What `${request.…}` may begin with in a line. */
export const peerRequestKeys = [
  'json',
  'query',
  'params',
  'headers',
  'form',
  'text',
  'path',
  'method',
] as const;

export type PeerLineDocument = z.input<typeof peerLineDocument>;
