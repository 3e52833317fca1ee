/** One line of a model's script, as written: the answer to one call, and how it is sent. */
import { z } from 'zod';
import { closed, duration, issueOf, mark, text, whole } from '../../kinds/kind/values.ts';

const tokensRule = 'a whole number, 0 or more';
const tokens = whole(tokensRule, 0);

export const stopReasons = [
  'end',
  'tool-calls',
  'length',
  'filter',
  'refusal',
  'stop-sequence',
  'pause',
  'context',
] as const;

export const errorKinds = [
  'invalid-request',
  'authentication',
  'permission',
  'not-found',
  'rate-limit',
  'overloaded',
  'server',
  'context-overflow',
  'billing',
] as const;

const argumentsRule = 'a map of arguments';
const callsRule = 'a map from tools to arguments, or a list of { name, args }';

const refuseBoth = (call: { args?: unknown; raw?: unknown }, context: z.RefinementCtx): void => {
  if (call.args === undefined || call.raw === undefined) return;
  const advice = { what: 'the call has both `args` and `raw`', next: 'remove one', at: 'key' } as const;
  context.addIssue(issueOf('one of args, raw', advice, 'raw'));
};

const calls = z.union(
  [
    z.record(z.string(), z.record(z.string(), z.unknown(), argumentsRule), callsRule),
    z.array(
      closed(
        {
          name: text.describe('The tool.'),
          args: z.record(z.string(), z.unknown(), argumentsRule).optional(),
          raw: z
            .string('a text')
            .describe('The text of its arguments as it is sent, in place of `args`: it need not be JSON.')
            .optional(),
          id: text.describe('The id of the call; made when absent.').optional(),
        },
        'a call',
      ).superRefine(refuseBoth),
      callsRule,
    ),
  ],
  callsRule,
);

const statusRule = 'a status from 400 to 599';

const error = closed(
  {
    status: whole(statusRule, 400, 599).describe('The status of HTTP.'),
    kind: z
      .enum(errorKinds, errorKinds.join(', '))
      .describe('What the provider calls it; follows from the status when absent.')
      .optional(),
    message: z.string('a text').describe('What it says.').optional(),
    retryAfter: z
      .union([z.string(), z.number()], 'a number of seconds, or a text')
      .describe('The header `retry-after`, as it is sent.')
      .optional(),
    headers: z.record(z.string(), z.string('a text'), 'a map of headers').optional(),
    json: z.unknown().describe('The body, instead of what the provider would say.').optional(),
    text: z.string('a text').describe('The body, instead of what the provider would say.').optional(),
  },
  'a refusal',
);

export const timesRule = 'a whole number from 1 to 10000, or any';
export const times = z.union([whole(timesRule, 1, 10_000), z.literal('any', timesRule)], timesRule);

const vectorsRule = 'a list of vectors, each a list of numbers';

const piecesRule = 'a whole number from 1 to 10000';

/** Keys that define the answer. */
const answers = ['says', 'reasons', 'hides', 'refuses', 'calls', 'embeds', 'error', 'hangs', 'stop'] as const;

/** Keys whose values may hold references. */
export const modelLineTexts: readonly string[] = ['says', 'calls'];

export const modelLineDocument = closed(
  {
    says: z.string('a text').describe('The visible text.').optional(),
    reasons: z.string('a text').describe('What it thinks before.').optional(),
    hides: z.string('a text').describe('What it thinks, and only the provider can read.').optional(),
    refuses: z.string('a text').describe('A refusal in words of the model.').optional(),
    calls: calls.describe('The tools that it calls.').optional(),
    embeds: z
      .array(z.array(z.number('a number'), vectorsRule).min(1, vectorsRule), vectorsRule)
      .min(1, vectorsRule)
      .describe('Vectors for an embedding, returned in order; derived from the texts when absent.')
      .optional(),
    stop: z
      .enum(stopReasons, stopReasons.join(', '))
      .describe('Why it stops; follows from the rest when absent.')
      .optional(),
    usage: closed(
      {
        input: tokens,
        output: tokens,
        cachedInput: tokens.optional(),
        reasoning: tokens.optional(),
      },
      'usage',
    )
      .describe('Token counts that it reports; estimated when absent.')
      .optional(),
    when: z.unknown().describe('A pattern over the request: the line waits for a call that fits.').optional(),
    expect: z
      .unknown()
      .describe('A pattern over the request that must hold for the call that gets this line.')
      .optional(),
    times: times.describe('How often it is used; once when absent.').optional(),
    shape: text
      .describe('A row of the corpus, such as `C07`, in whose shape it is sent, or `plain`.')
      .optional(),
    error: error.describe('A refusal of the provider instead of a turn.').optional(),
    after: duration.describe('Waited before the first byte.').optional(),
    pace: duration.describe('Waited between the events of a stream.').optional(),
    pieces: whole(piecesRule, 1, 10_000).describe('Characters in a piece of streamed text.').optional(),
    hangs: mark('After the head nothing comes.'),
  },
  'a line of a script',
).superRefine((line, context) => {
  const asked = asksOf(line.when);
  const said = answers.filter((key) => line[key] !== undefined);
  const allowed = asked === undefined ? ofTurns : ofQuestions[asked];
  const wrong = said.find((key) => !allowed.includes(key));
  if (wrong !== undefined) {
    const what = `\`${wrong}\` cannot answer ${asked === undefined ? 'a turn' : `a request for ${asked}`}`;
    const next = wrong === 'embeds' ? 'add `when: { asks: embedding }`' : `remove \`${wrong}\``;
    context.addIssue(issueOf(allowed.join(', '), { what, next }));
  }
  if (line.shape !== undefined && hasRaw(line.calls)) {
    const advice = { what: 'a line with `raw` arguments has a `shape`', next: 'remove one of the two' };
    context.addIssue(issueOf('a shape for arguments that are a map', advice, 'shape'));
  }
  if (said.length > 0 || (asked !== undefined && line.usage !== undefined)) return;
  const params = { what: 'the line does not say what is answered', next: 'add `says`', absence: true };
  context.addIssue(issueOf(`one of ${allowed.join(', ')}`, params));
});

function hasRaw(calls: unknown): boolean {
  return Array.isArray(calls) && calls.some((call: { readonly raw?: unknown }) => call.raw !== undefined);
}

/** What `${request.…}` may begin with in a line, and what `when` and `expect` see. */
export const modelRequestKeys = [
  'asks',
  'text',
  'result',
  'results',
  'messages',
  'system',
  'model',
  'turn',
  'tools',
  'maxTokens',
  'stream',
  'headers',
  'path',
  'json',
] as const;

/** The answer keys for a turn, and for other kinds of requests. */
const ofTurns: readonly string[] = answers.filter((key) => key !== 'embeds');
const ofQuestions: Readonly<Record<'embedding' | 'count', readonly string[]>> = {
  embedding: ['embeds', 'error', 'hangs'],
  count: ['error', 'hangs'],
};

function asksOf(when: unknown): keyof typeof ofQuestions | undefined {
  const asks = typeof when === 'object' && when !== null && 'asks' in when ? when.asks : undefined;
  return asks === 'embedding' || asks === 'count' ? asks : undefined;
}

export type ModelLineDocument = z.input<typeof modelLineDocument>;
