/** Folds the answer of a model while it passes, whatever the dialect, and gives the turn that is written down. */
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import { type RoutedCall, routeCall } from '../../protocols/questions/question-table.ts';
import { createAnswerFold } from '../../protocols/shapes/answer-fold.ts';
import type { AnswerFold, AnswerFoldOptions } from '../../protocols/shapes/answer-forms.ts';
import { flatTurn } from '../../protocols/turn/flat-turn.ts';
import type { FoldedTurn } from '../../protocols/turn/turn.ts';
import { plainTarget } from './answer-streams.ts';
import { callLimits } from './call-limits.ts';

export interface SeenTurn {
  readonly turn: TurnEvidence;
  /** It is more than is kept, and cut. */
  readonly tooLarge?: true;
}

/** `left`: the consumer did not wait for the rest. */
export type TurnEnd = 'end' | 'cut' | 'left';

export class TurnWatch {
  readonly #options: AnswerFoldOptions;
  #fold: AnswerFold | undefined;
  #seen: SeenTurn | undefined;

  constructor(options: AnswerFoldOptions) {
    this.#options = options;
    if (!this.isCompressed) this.#fold = createAnswerFold(options);
  }

  /** Its body is folded as a whole, when it is there and was undone. */
  get isCompressed(): boolean {
    const encoding = this.#options.headers['content-encoding'];
    return encoding !== undefined && encoding !== '' && encoding !== 'identity';
  }

  push(bytes: Uint8Array): void {
    this.#fold?.push(bytes);
  }

  /** The whole body without its coding. */
  pushDecoded(bytes: Uint8Array): void {
    if (this.#fold !== undefined) return;
    const { 'content-encoding': _, ...headers } = this.#options.headers;
    this.#fold = createAnswerFold({ ...this.#options, headers });
    this.#fold.push(bytes);
  }

  /** Undefined where nothing could be read. The same from the first time on. */
  end(how: TurnEnd): SeenTurn | undefined {
    if (this.#fold !== undefined) this.#seen ??= boundTurn(flatTurn(endFold(this.#fold, how)));
    return this.#seen;
  }

  soFar(): SeenTurn | undefined {
    return this.#seen ?? (this.#fold && boundTurn(flatTurn(this.#fold.soFar())));
  }
}

/** What is missing then is no fault of the provider. */
function endFold(fold: AnswerFold, how: TurnEnd): FoldedTurn {
  if (how !== 'left') return fold.end(how);
  const { faults } = fold.soFar();
  return { ...fold.end('cut'), faults };
}

/** Undefined where the request was none to a model. */
export function watchTurn(
  request: RequestHead,
  response: ResponseHead,
  asked: unknown,
): TurnWatch | undefined {
  if (request.method !== 'POST') return undefined;
  const target = plainTarget(request.target) ?? '';
  const query = target.indexOf('?');
  const routed = routeCall(request.method, query === -1 ? target : target.slice(0, query));
  if (routed === undefined || routed.question !== undefined) return undefined;
  const { status, headers } = response;
  return new TurnWatch({ dialect: routed.dialect, status, headers, ...streamAsked(routed, asked) });
}

/** Unknown where the request was not kept as a whole. */
function streamAsked({ route }: RoutedCall, asked: unknown): { readonly streamAsked?: boolean } {
  if (route.stream !== undefined) return { streamAsked: route.stream };
  return isMap(asked) ? { streamAsked: asked.stream === true } : {};
}

/** A turn that is cut is not complete, so that its beginning is not taken for all of it. */
function boundTurn(turn: TurnEvidence): SeenTurn {
  const size = turn.text.length + (turn.reasoning?.length ?? 0) + JSON.stringify(turn.calls).length;
  if (size <= callLimits.turnChars) return { turn };
  const cut = (text: string): string => text.slice(0, callLimits.turnChars >> 2);
  let room = callLimits.turnChars >> 2;
  const calls = turn.calls.flatMap(({ id, name, arguments: given, argumentsText }) => {
    const text = argumentsText ?? JSON.stringify(given ?? {});
    room -= text.length;
    return room < 0 ? [] : [{ id, name, argumentsText: text }];
  });
  const reasoning = turn.reasoning === undefined ? {} : { reasoning: cut(turn.reasoning) };
  return { turn: { ...turn, complete: false, text: cut(turn.text), ...reasoning, calls }, tooLarge: true };
}
