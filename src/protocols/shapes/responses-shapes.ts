/** Shapes R01 to R26: streams of OpenAI's responses. */
import type { DraftEvent } from '../openai-responses/print-events.ts';
import type { JsonObject } from '../turn/turn.ts';
import {
  bothAs,
  changeItems,
  changeLast,
  cutWith,
  eachEvent,
  isOfType,
  streamedAs,
  streamedWith,
  where,
} from './make-responses.ts';
import {
  argumentsFirst,
  completedEarly,
  doneTooEarly,
  encryptedAnewWhenDone,
  encryptedReasoning,
  interleavedCalls,
  partsWithText,
  withAnnotations,
  withOthers,
  withoutId,
  withStages,
  withWebSearch,
} from './responses-edits.ts';
import type { Shape } from './shape.ts';
import { answerOfBody, answerOfPieces } from './wire-answer.ts';

const over = ['openai-responses'] as const;

const fragmentOfCall = 'response.function_call_arguments.delta';

export const responsesShapes: readonly Shape[] = [
  {
    id: 'R01',
    tier: '2',
    title: '`keepalive` event with sequence_number',
    right: 'ignored',
    seen: [
      'openai/openai-node#1965',
      'openai/openai-java#767',
      'openai-php/client#732',
      'tjardoo/openai-client#170',
    ],
    over,
    make: streamedAs((drafts, { random }) => {
      const at = random.integer(1, drafts.length - 1);
      return [...drafts.slice(0, at), { type: 'keepalive' }, ...drafts.slice(at)];
    }),
  },
  {
    id: 'R02',
    tier: '2c',
    title: '`response.keep_alive`; keepalive without sequence_number',
    right: 'ignored',
    seen: ['OpenRouterTeam/python-sdk#266', 'diegosouzapw/OmniRoute#14330'],
    policy: 'accept',
    over,
    make: streamedWith(({ random }) => {
      const type = random.pick(['response.keep_alive', 'keepalive']);
      return { event: type, data: JSON.stringify({ type }) };
    }),
  },
  {
    id: 'R03',
    tier: '2c',
    policy: 'accept',
    title: 'any unknown future event type',
    right: 'ignored; OpenAI’s client for JavaScript refuses it',
    seen: [
      'openai/openai-node#1965',
      'openai/openai-java#767',
      'openai-php/client#732',
      'tjardoo/openai-client#170',
    ],
    over,
    make: streamedAs((drafts, { random }) => {
      const at = random.integer(1, drafts.length - 1);
      const unknown = { type: `response.novelty_${random.hex(4)}.delta`, output_index: 0, delta: 'news' };
      return [...drafts.slice(0, at), unknown, ...drafts.slice(at)];
    }),
  },
  {
    id: 'R04',
    tier: '2',
    title: '`response.incomplete` (max_output_tokens / content_filter) as terminal',
    right: 'length/filter, usage kept',
    seen: ['langchain-ai/langchain#33840', 'pydantic/pydantic-ai#7911', 'envoyproxy/ai-gateway#2184'],
    changes: ['stop'],
    over,
    make: bothAs(({ turn, random }) => ({ ...turn, stop: random.pick(['length', 'filter']) })),
  },
  {
    id: 'R05',
    tier: '1',
    title: 'emitter says `completed` on truncation with empty output',
    right: 'must not settle as done',
    seen: ['jundot/omlx#2817', 'raullenchai/Rapid-MLX#866'],
    over,
    make: bothAs(
      ({ turn }) => turn,
      completedEarly,
      (body) => ({ ...body, status: 'completed', output: [] }),
    ),
  },
  {
    id: 'R06',
    tier: '1',
    title: '`response.failed` with / without error / usage',
    right: 'typed failure',
    seen: ['agentjido/req_llm#977', 'Zoo-Code-Org/Zoo-Code#318'],
    over,
    make: cutWith(({ random }, last) => {
      const { usage, ...rest } = last.response as JsonObject;
      const error = random.pick([{ code: 'server_error', message: 'The model produced an error.' }, null]);
      const used = random.next() < 0.5 ? { usage } : {};
      return [{ type: 'response.failed', response: { ...rest, ...used, status: 'failed', error } }];
    }),
  },
  {
    id: 'R07',
    tier: '1',
    title: '`error` event flat vs nested',
    right: 'one typed error',
    seen: ['openai/openai-node#2021', 'ogx-ai/ogx#5224'],
    over,
    make: cutWith(({ random }) => {
      const said = { code: 'rate_limit_exceeded', message: 'Rate limit reached.', param: null };
      const nested = { error: { type: 'tokens', ...said } };
      return [{ type: 'error', ...random.pick<JsonObject>([said, nested]) }];
    }),
  },
  {
    id: 'R08',
    tier: '1',
    title: 'close before any terminal event',
    right: 'retryable truncation',
    seen: ['openai/codex#27677', 'farion1231/cc-switch#4535', 'NousResearch/hermes-agent#36167'],
    over,
    make: cutWith(
      () => [],
      ({ random }) => random.pick(['whole', 'fin', 'reset']),
    ),
  },
  {
    id: 'R09',
    tier: '2c',
    title: '`response.completed` with output null/absent/[] after good deltas',
    right: 'rebuilt from items',
    seen: ['NousResearch/hermes-agent#32914', 'agentgateway/agentgateway#2281'],
    policy: 'accept',
    over,
    make: streamedAs((drafts, { random }) =>
      changeLast(drafts, ({ output: _, ...rest }) =>
        random.pick([{ ...rest, output: null }, rest, { ...rest, output: [] }]),
      ),
    ),
  },
  {
    id: 'R10',
    tier: '2c',
    title: 'arguments only on `.done`, no deltas',
    right: 'args kept',
    seen: ['BerriAI/litellm#25321', 'lidge-jun/opencodex#4652'],
    policy: 'accept',
    over,
    make: streamedAs(
      where(
        'function_call',
        eachEvent((draft) => (draft.type === fragmentOfCall ? undefined : draft)),
      ),
    ),
  },
  {
    id: 'R11',
    tier: '2c',
    title: 'argument delta before its `output_item.added`',
    right: 'buffered',
    seen: ['docker/docker-agent#2976'],
    policy: 'accept',
    over,
    make: streamedAs(where('function_call', argumentsFirst)),
  },
  {
    id: 'R12',
    tier: '2',
    title: 'function_call item without `id`, only `call_id`',
    right: 'accepted',
    seen: ['anomalyco/opencode#45081', 'anomalyco/opencode#46084'],
    over,
    // Events name the item that they are about: in a stream it has an id.
    make: bothAs(
      ({ turn, streamed }) =>
        streamed || !turn.parts.some(({ kind }) => kind === 'call') ? undefined : turn,
      (drafts) => drafts,
      (body) => ({ ...body, output: (body.output as JsonObject[]).map(withoutId) }),
    ),
  },
  {
    id: 'R13',
    tier: '2c',
    title: '`output_item.done` omitted, final only in completed',
    right: 'reconciled by call_id',
    seen: ['anomalyco/opencode#46084'],
    policy: 'accept',
    over,
    make: streamedAs(
      where(
        'function_call',
        eachEvent((draft) => {
          const isDone = draft.type === 'response.output_item.done' && isOfType(draft.item, 'function_call');
          return isDone || draft.type === 'response.function_call_arguments.done' ? undefined : draft;
        }),
      ),
    ),
  },
  {
    id: 'R14',
    tier: '2c',
    title: 'argument delta without `item_id` (index only)',
    right: 'routed by output_index',
    seen: ['Oaklight/llm-rosetta#86'],
    policy: 'accept',
    over,
    make: streamedAs(
      where(
        'function_call',
        eachEvent((draft) => {
          const { item_id: _, ...rest } = draft;
          return draft.type === fragmentOfCall ? (rest as DraftEvent) : draft;
        }),
      ),
    ),
  },
  {
    id: 'R15',
    tier: '2',
    title: 'same text in deltas, `.done`, part.done, item.done, completed',
    right: 'shown once',
    seen: [
      'danielmiessler/Fabric#1686',
      'vercel/ai#11658',
      'databricks/databricks-ai-bridge#464',
      'ai-dynamo/aiperf#1134',
    ],
    over,
    make: streamedAs(where('message', (drafts) => drafts)),
  },
  {
    id: 'R16',
    tier: '2c',
    title: '`content_part.added` already holding text + same delta',
    right: 'once',
    seen: ['PrimeIntellect-ai/verifiers#2164'],
    policy: 'accept',
    over,
    make: streamedAs(partsWithText),
  },
  {
    id: 'R17',
    tier: '1',
    title: '`output_text.done` early, more deltas after',
    right: 'no truncation, anomaly flagged',
    seen: ['diegosouzapw/OmniRoute#13693'],
    over,
    make: streamedAs(doneTooEarly),
  },
  {
    id: 'R18',
    tier: '2',
    title: 'part type `output_text` announced structurally',
    right: 'no tool path',
    seen: ['docker/docker-agent#2976'],
    over,
    make: streamedAs(where('message', (drafts) => drafts)),
  },
  {
    id: 'R19',
    tier: '1',
    title: '`response.created` with status completed',
    right: 'do not end early',
    seen: ['github/copilot-sdk#2010'],
    over,
    make: streamedAs(
      eachEvent((draft) =>
        draft.type === 'response.created'
          ? { ...draft, response: { ...(draft.response as JsonObject), status: 'completed' } }
          : draft,
      ),
    ),
  },
  {
    id: 'R20',
    tier: '2',
    title: 'encrypted reasoning item replay: id kept, summary [], no plaintext, order kept',
    right: 'next turn accepted',
    seen: ['microsoft/agent-framework-go#784', 'openclaw/openclaw#90093', 'can1357/oh-my-pi#290'],
    changes: ['parts'],
    over,
    make: bothAs(encryptedReasoning, eachEvent(encryptedAnewWhenDone)),
  },
  {
    id: 'R21',
    tier: '1',
    title: '400 `invalid_encrypted_content` on replay',
    right: 'strip once, retry once',
    seen: ['QwenLM/qwen-code#11596', 'maximhq/bifrost#5892', 'Wei-Shaw/sub2api#3138'],
    over,
    make: () => {
      const message =
        'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.';
      const error = {
        message,
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_encrypted_content',
      };
      return answerOfBody({ error }, { status: 400 });
    },
  },
  {
    id: 'R22',
    tier: '2',
    title: 'provider-executed tools (web_search…)',
    right: 'loop does not continue',
    seen: ['vercel/ai#8502'],
    changes: ['parts'],
    over,
    make: bothAs(withWebSearch, withStages),
  },
  {
    id: 'R23',
    tier: '2c',
    policy: 'accept',
    title: 'per-event `obfuscation` padding, opaque item ids changing between delta and done (Copilot)',
    right: 'ignored / by output_index',
    seen: ['lidge-jun/opencodex#996'],
    over,
    make: streamedAs(
      eachEvent((draft, { random }) => {
        const veiled = changeItems(draft, (item) => ({ ...item, id: random.hex(24) }));
        const named = veiled.item_id === undefined ? veiled : { ...veiled, item_id: random.hex(24) };
        return named.delta === undefined
          ? named
          : { ...named, obfuscation: random.hex(random.integer(1, 16)) };
      }),
    ),
  },
  {
    id: 'R24',
    tier: '1',
    title: '200 committed, fails before first event',
    right: 'surfaced as error',
    seen: ['QuantumNous/new-api#3142'],
    over,
    make: ({ streamed, random }) =>
      streamed ? answerOfPieces([], { end: random.pick(['whole', 'fin', 'reset']) }) : undefined,
  },
  {
    id: 'R25',
    tier: '2',
    title: 'parallel function calls interleaved by output_index',
    right: 'right owner; translation keeps distinct index',
    seen: ['mcowger/plexus#691', 'vellum-ai/vellum-assistant#25848'],
    over,
    make: streamedAs(interleavedCalls),
  },
  {
    id: 'R26',
    tier: '2',
    title: 'reasoning summary part + text, refusal, annotations, custom tool input, mcp_*, image partials',
    right: 'no crash; unknown passes through',
    seen: [],
    changes: ['parts'],
    over,
    make: bothAs(withOthers, (drafts) => withAnnotations(withStages(drafts))),
  },
];
