/** Shapes R01 to R26: streams of OpenAI's responses. */
import { veiledId } from '../openai-responses/changed-ids.ts';
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
import type { MakeAnswer } from './shape.ts';
import { answerOfBody, answerOfPieces } from './wire-answer.ts';

const fragmentOfCall = 'response.function_call_arguments.delta';

export const responsesMakers: Readonly<Record<string, MakeAnswer>> = {
  R01: streamedAs((drafts, { random }) => {
    const at = random.integer(1, drafts.length - 1);
    return [...drafts.slice(0, at), { type: 'keepalive' }, ...drafts.slice(at)];
  }),
  R02: streamedWith(({ random }) => {
    const type = random.pick(['response.keep_alive', 'keepalive']);
    return { event: type, data: JSON.stringify({ type }) };
  }),
  R03: streamedAs((drafts, { random }) => {
    const at = random.integer(1, drafts.length - 1);
    const unknown = { type: `response.novelty_${random.hex(4)}.delta`, output_index: 0, delta: 'news' };
    return [...drafts.slice(0, at), unknown, ...drafts.slice(at)];
  }),
  R04: bothAs(({ turn, random }) => ({ ...turn, stop: random.pick(['length', 'filter']) })),
  R05: bothAs(
    ({ turn }) => turn,
    completedEarly,
    (body) => ({ ...body, status: 'completed', output: [] }),
  ),
  R06: cutWith(({ random }, last) => {
    const { usage, ...rest } = last.response as JsonObject;
    const error = random.pick([{ code: 'server_error', message: 'The model produced an error.' }, null]);
    const used = random.next() < 0.5 ? { usage } : {};
    return [{ type: 'response.failed', response: { ...rest, ...used, status: 'failed', error } }];
  }),
  R07: cutWith(({ random }) => {
    const said = { code: 'rate_limit_exceeded', message: 'Rate limit reached.', param: null };
    const nested = { error: { type: 'tokens', ...said } };
    return [{ type: 'error', ...random.pick<JsonObject>([said, nested]) }];
  }),
  R08: cutWith(
    () => [],
    ({ random }) => random.pick(['whole', 'fin', 'reset']),
  ),
  R09: streamedAs((drafts, { random }) =>
    changeLast(drafts, ({ output: _, ...rest }) =>
      random.pick([{ ...rest, output: null }, rest, { ...rest, output: [] }]),
    ),
  ),
  R10: streamedAs(
    where(
      'function_call',
      eachEvent((draft) => (draft.type === fragmentOfCall ? undefined : draft)),
    ),
  ),
  R11: streamedAs(where('function_call', argumentsFirst)),
  R12: bothAs(
    ({ turn, streamed }) => (streamed || !turn.parts.some(({ kind }) => kind === 'call') ? undefined : turn),
    (drafts) => drafts,
    (body) => ({ ...body, output: (body.output as JsonObject[]).map(withoutId) }),
  ),
  R13: streamedAs(
    where(
      'function_call',
      eachEvent((draft) => {
        const isDone = draft.type === 'response.output_item.done' && isOfType(draft.item, 'function_call');
        return isDone || draft.type === 'response.function_call_arguments.done' ? undefined : draft;
      }),
    ),
  ),
  R14: streamedAs(
    where(
      'function_call',
      eachEvent((draft) => {
        const { item_id: _, ...rest } = draft;
        return draft.type === fragmentOfCall ? (rest as DraftEvent) : draft;
      }),
    ),
  ),
  R15: streamedAs(where('message', (drafts) => drafts)),
  R16: streamedAs(partsWithText),
  R17: streamedAs(doneTooEarly),
  R18: streamedAs(where('message', (drafts) => drafts)),
  R19: streamedAs(
    eachEvent((draft) =>
      draft.type === 'response.created'
        ? { ...draft, response: { ...(draft.response as JsonObject), status: 'completed' } }
        : draft,
    ),
  ),
  R20: bothAs(encryptedReasoning, eachEvent(encryptedAnewWhenDone)),
  R21: () => {
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
  R22: bothAs(withWebSearch, withStages),
  R23: streamedAs(
    eachEvent((draft, { random }) => {
      const veiled = changeItems(draft, (item) => ({ ...item, id: veiledId(item.id, random) }));
      const { item_id: item } = veiled;
      const named = item === undefined ? veiled : { ...veiled, item_id: veiledId(item, random) };
      return named.delta === undefined ? named : { ...named, obfuscation: random.hex(random.integer(1, 16)) };
    }),
  ),
  R24: ({ streamed, random }) =>
    streamed ? answerOfPieces([], { end: random.pick(['whole', 'fin', 'reset']) }) : undefined,
  R25: streamedAs(interleavedCalls),
  R26: bothAs(withOthers, (drafts) => withAnnotations(withStages(drafts))),
};
