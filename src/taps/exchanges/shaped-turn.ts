/** A model's answer in another shape: folded to the turn that it carries, and printed again. */

import { isMap } from '../../kernel/is-map.ts';
import { dialectFor } from '../../protocols/dialects/dialect-table.ts';
import type { ResponseHead } from '../../protocols/http/http-message.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import { readAsked } from '../../protocols/shapes/asked.ts';
import type { Shape, WireAnswer } from '../../protocols/shapes/shape.ts';
import { makeShaped } from '../../protocols/shapes/shape-table.ts';
import { foldAnswer } from '../../protocols/shapes/wire-answer.ts';
import type { FoldedPart, FoldedTurn, Turn, TurnPart } from '../../protocols/turn/turn.ts';
import type { EditAbout } from './exchange-edit.ts';
import { pathOf } from './exchange-filter.ts';

export interface Reshaping {
  readonly shape: Shape;
  readonly about: EditAbout;
  /** The body. */
  readonly request: Buffer;
  readonly response: WholeResponse;
  /** What is sent instead of the turn; the same one where absent. */
  readonly change?: (turn: Turn) => Turn;
}

/** Without the coding of its content, which its head does not name either. */
export interface WholeResponse {
  readonly head: ResponseHead;
  readonly body: Buffer;
}

/** As models send text: a few characters at a time. */
const pieceChars = 8;

/** Undefined where this is not a call to a model, its turn is incomplete, or the shape does not apply. */
export function shapedTurn({ shape, about, request, response, change }: Reshaping): WireAnswer | undefined {
  const routed = dialectFor(about.request.method, pathOf(about.request.target));
  if (routed === undefined) return undefined;
  const { dialect, route } = routed;
  const json = looseJson(request.toString('utf8'));
  const asked = dialect.readRequest(json, route);
  const { status, headers } = response.head;
  const pieces = [{ bytes: response.body }];
  const folded = foldAnswer(dialect, { status, headers, pieces, end: 'whole' });
  const turn = wholeTurn(folded);
  // Of several choices only the first one is a turn; the others would be lost.
  if (turn === undefined || (asked.choices ?? 1) > 1) return undefined;
  return makeShaped(shape, {
    dialect: dialect.name,
    turn: change?.(turn) ?? turn,
    about: {
      id: folded.id ?? `shaped-${about.random.hex(12)}`,
      model: folded.model ?? asked.model ?? 'unknown',
      createdAt: about.now(),
      wantsUsage: folded.usage !== null,
      pieceChars,
      ...(isMap(json) ? { request: json } : {}),
    },
    streamed: asked.stream,
    asked: readAsked(json, about.request.headers, asked),
    random: about.random,
  });
}

export function isForModel({ method, target }: EditAbout['request']): boolean {
  return dialectFor(method, pathOf(target)) !== undefined;
}

function wholeTurn({ complete, error, faults, parts, stop, usage }: FoldedTurn): Turn | undefined {
  const whole = parts.filter(isWhole);
  const isTurn = complete && error === undefined && faults.length === 0 && whole.length === parts.length;
  if (!isTurn || stop === null) return undefined;
  return { parts: whole, stop, ...(usage === null ? {} : { usage }) };
}

function isWhole(part: FoldedPart): part is TurnPart {
  return part.kind !== 'call' || part.arguments !== undefined;
}
