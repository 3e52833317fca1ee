/** All shapes of the corpus. */
import { defined } from '../../kernel/defined.ts';
import { dialects } from '../dialects/dialect-table.ts';
import { dialectNames } from '../turn/turn.ts';
import { chatCallMakers } from './chat-call-makers.ts';
import { chatChunkMakers } from './chat-chunk-makers.ts';
import { chatEndMakers } from './chat-end-makers.ts';
import { chatRefusalMakers } from './chat-refusals.ts';
import corpus from './corpus.json' with { type: 'json' };
import { illegalFrames } from './framing-illegal.ts';
import { legalFrames } from './framing-legal.ts';
import { anthropicBreaches } from './make-anthropic-illegal.ts';
import { anthropicVariants } from './make-anthropic-legal.ts';
import { anthropicTurns } from './make-anthropic-turns.ts';
import { geminiMakers } from './make-gemini.ts';
import { mcpContentMakers } from './mcp-content-shapes.ts';
import { mcpTransportMakers } from './mcp-transport-shapes.ts';
import { responsesMakers } from './responses-shapes.ts';
import type { Shape, ShapeInput, ShapeRow, WireAnswer } from './shape.ts';
import { answerOfBody, answerOfEvents } from './wire-answer.ts';

/** By the id of the row, of which `corpus.json` has the title. */
const makers = {
  ...legalFrames,
  ...illegalFrames,
  ...chatChunkMakers,
  ...chatCallMakers,
  ...chatEndMakers,
  ...chatRefusalMakers,
  ...responsesMakers,
  ...anthropicVariants,
  ...anthropicBreaches,
  ...anthropicTurns,
  ...geminiMakers,
};
const rpcMakers = { ...mcpTransportMakers, ...mcpContentMakers };

export const shapes: readonly Shape[] = (corpus as readonly ShapeRow[]).map((row) => ({
  ...row,
  ...defined({ make: makers[row.id], makeRpc: rpcMakers[row.id] }),
}));

/** No row of the corpus: the baseline against which the others are compared. */
export const plainShape: Shape = {
  id: 'plain',
  tier: '2',
  title: 'as it is sent without a shape',
  right: 'the same',
  seen: [],
  over: [...dialectNames, 'mcp-http'],
  make: ({ dialect, turn, about, streamed }) =>
    streamed
      ? answerOfEvents(dialects[dialect].printEvents(turn, about))
      : answerOfBody(dialects[dialect].printBody(turn, about)),
};

/** Undefined where the corpus has no such row. */
export function shapeOf(id: string): Shape | undefined {
  return id === plainShape.id ? plainShape : shapes.find((shape) => shape.id === id);
}

/** Rows about frames, and those about several choices and about calls of `functions`: they hold whatever the plain answer holds. */
const ofAnyAnswer = /^(?:S\d+|C38|C40|plain)$/;

/** Undefined where the shape has nothing to do with this dialect, turn or request. The other rows are about one choice and tools that are functions. */
export function makeShaped(shape: Shape, input: ShapeInput): WireAnswer | undefined {
  const { asked, turn, dialect } = input;
  const isUsual =
    asked.choices === 1 &&
    !turn.parts.some((part) => part.kind === 'call' && (part.input || asked.functions));
  const fits = shape.over.includes(dialect) && (isUsual || ofAnyAnswer.test(shape.id));
  return fits ? shape.make?.(input) : undefined;
}
