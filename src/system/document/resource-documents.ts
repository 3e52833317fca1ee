/** The keys of each kind of resource, as written. */
import { z } from 'zod';
import {
  type Advice,
  choice,
  closed,
  flag,
  issueOf,
  listOf,
  name,
  text,
  variableName,
  whole,
} from '../../kinds/kind/values.ts';
import { image } from './container-document.ts';
import { modelLineDocument } from './model-line-document.ts';
import { peerLineDocument } from './peer-line-document.ts';

const scalarRule = 'a text, a number, true or false';

const postgresDocument = closed(
  {
    kind: z.literal('postgres', 'postgres').describe('What it is.'),
    schemaPerService: flag('Each service gets a schema of its own in one database.'),
    databasePerService: flag('Each service gets a database of its own.'),
    url: text.describe('A server of yours; the embedded one when absent. May hold `${env.NAME}`.').optional(),
    image: image
      .describe(
        'A container of the official image `postgres`, or of one that behaves like it: `postgres:18`.',
      )
      .optional(),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()], scalarRule), 'a map of settings')
      .describe('Settings of the server, such as `max_connections`.')
      .optional(),
  },
  'a resource',
).superRefine((written, context) => {
  if (written.url !== undefined && written.image !== undefined)
    context.addIssue(
      issueOf(
        'at most one of url, image',
        { what: 'the resource has both `url` and `image`', next: 'remove one', at: 'key' },
        'image',
      ),
    );
  if (!written.schemaPerService || !written.databasePerService) return;
  const params: Advice = {
    what: 'the resource has both `schemaPerService` and `databasePerService`',
    next: 'remove one',
    at: 'key',
  };
  const message = 'at most one of schemaPerService, databasePerService';
  context.addIssue(issueOf(message, params, 'databasePerService'));
});

const redisDocument = closed(
  {
    kind: z.literal('redis', 'redis').describe('What it is.'),
    url: text
      .describe('A server of yours; one of the environment’s own when absent. May hold `${env.NAME}`.')
      .optional(),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()], scalarRule), 'a map of settings')
      .describe('Lines of redis.conf, such as `maxmemory: 10mb`; only for a server of the environment’s own.')
      .optional(),
  },
  'a resource',
).superRefine((written, context) => {
  if (written.url === undefined || written.settings === undefined) return;
  const params: Advice = {
    what: 'the resource has `settings` for a server that is not started here',
    next: 'remove `settings`, and configure the server where it runs',
    at: 'key',
  };
  context.addIssue(issueOf('`url`, or `settings`', params, 'settings'));
});

const sqliteDocument = closed(
  { kind: z.literal('sqlite', 'sqlite').describe('What it is.') },
  'a database in a file',
);

const moneyRule = 'a number of US dollars, 0 or more';
const money = z.number(moneyRule).min(0, moneyRule);
const tokensRule = 'a whole number of tokens, 0 or more';

/** What a run, or one trial of it, may cost at most. */
export const budgetDocument = closed(
  {
    usd: money.describe('US dollars.').optional(),
    tokens: whole(tokensRule, 0).describe('Tokens, of input and output together.').optional(),
  },
  'a budget',
);

const priceDocument = closed(
  {
    input: money.describe('US dollars for a million tokens of input.'),
    output: money.describe('US dollars for a million tokens of output.'),
    cachedInput: money.describe('The same for input that the provider had kept.').optional(),
    cacheWrite: money
      .describe('The same for input that Anthropic keeps for five minutes; for an hour it is 1.6 times this.')
      .optional(),
  },
  'a price',
);

export const modelModes = ['script', 'record', 'cassette', 'live'] as const;

/** As a config names them, to the dialects that they speak. */
export const upstreamNames = ['openai', 'anthropic', 'gemini'] as const;

const upstreamDocument = closed(
  {
    url: text.describe('The address of the real provider. May hold `${env.NAME}`.'),
    key: variableName.describe('The environment variable that holds the key to it.'),
  },
  'a real provider',
);

const modelDocument = closed(
  {
    kind: z.literal('model', 'model').describe('What it is.'),
    mode: z
      .enum(modelModes, 'script, record, cassette or live')
      .describe(
        'Who answers: the script of the trial, or a real provider, or a recording; `script` when absent.',
      )
      .optional(),
    because: text.describe('Why it is not the real one.').optional(),
    strict: flag('A history that a real provider would reject is rejected.'),
    keys: listOf(
      text,
      'a list of keys',
      'The keys that are accepted beside `${NAME.key}`; every key when absent. Requests without one are refused.',
    ),
    models: listOf(text, 'a list of models', 'The models that exist; every one when absent.'),
    standing: z
      .record(z.string(), z.array(modelLineDocument, 'a list of lines'), 'a map from callers to lines')
      .describe('Lines that hold in every trial, by caller; `*` is for each. Used as often as they fit.')
      .optional(),
    fixtures: listOf(
      text,
      'a list of files',
      'Files of aimock fixtures, relative to the config file; they become standing lines.',
    ),
    upstreams: z
      .partialRecord(
        z.enum(upstreamNames, upstreamNames.join(', ')),
        upstreamDocument,
        'a map from openai, anthropic, gemini to providers',
      )
      .describe('The real providers behind `record` and `live`.')
      .optional(),
    prices: z
      .record(z.string(), priceDocument, 'a map from models to prices')
      .describe('Prices that the built-in table does not have, or has otherwise.')
      .optional(),
    budget: budgetDocument.describe('What a whole run may cost, where the model is a real one.').optional(),
    cassettes: text
      .describe('Folder of the recordings, relative to the config file; `shakedown/cassettes` when absent.')
      .optional(),
    timing: choice(
      ['original', 'compressed'],
      'Of recordings: with their pauses, or without; `compressed` when absent.',
    ),
  },
  'a model provider',
);

export const peerModes = ['script', 'record', 'cassette'] as const;

const peerUpstreamDocument = closed(
  {
    url: text.describe('The address of the real one. May hold `${env.NAME}`.'),
    key: variableName
      .describe('The environment variable that holds the key to it, where it wants one.')
      .optional(),
    header: text
      .describe(
        'The header that carries the key; when absent, `authorization` with `Bearer ` before the key.',
      )
      .optional(),
    prefix: text.describe('A prefix of the key in `header`.').optional(),
  },
  'a real third party',
);

const httpPeerDocument = closed(
  {
    kind: z.literal('http', 'http').describe('What it is.'),
    because: text.describe('Why it is not the real one.'),
    mode: z
      .enum(peerModes, 'script, record or cassette')
      .describe(
        'What answers a request without a line: nothing, the real one, or a recording of it; `script` when absent.',
      )
      .optional(),
    upstream: peerUpstreamDocument.describe('The real one behind `record`.').optional(),
    cassettes: text
      .describe(
        'Folder of the recordings, relative to the config file; `shakedown/cassettes/NAME` when absent.',
      )
      .optional(),
    timing: choice(
      ['original', 'compressed'],
      'Of recordings: with their pauses, or without; `compressed` when absent.',
    ),
    standing: listOf(
      peerLineDocument,
      'a list of lines',
      'Answers that hold in every trial; used as often as they fit.',
    ),
    callbacks: z
      .record(name, text, 'a map from names to addresses')
      .describe('Where it may call back, such as `channel: ${channel.url}`.')
      .optional(),
  },
  'a third party',
);

const telemetryDocument = closed(
  { kind: z.literal('telemetry', 'telemetry').describe('What it is.') },
  'a receiver of telemetry',
);

const kinds = 'postgres, redis, sqlite, model, http, telemetry';

export const resourceDocument = z.discriminatedUnion(
  'kind',
  [postgresDocument, redisDocument, sqliteDocument, modelDocument, httpPeerDocument, telemetryDocument],
  kinds,
);

export type ResourceDocument = z.input<typeof resourceDocument>;
export type PostgresDocument = z.input<typeof postgresDocument>;
export type RedisDocument = z.input<typeof redisDocument>;
export type SqliteDocument = z.input<typeof sqliteDocument>;
export type ModelDocument = z.input<typeof modelDocument>;
export type HttpPeerDocument = z.input<typeof httpPeerDocument>;
export type TelemetryDocument = z.input<typeof telemetryDocument>;
