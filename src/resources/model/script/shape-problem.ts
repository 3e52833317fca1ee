/** Whether a line can be sent in the shape that it asks for, as far as that is known before a call. */
import { nearest } from '../../../kernel/nearest.ts';
import { Problem } from '../../../kernel/problem.ts';
import { createRandom } from '../../../kernel/random.ts';
import type { Shape } from '../../../protocols/shapes/shape.ts';
import { shapeOf, shapes } from '../../../protocols/shapes/shape-table.ts';
import type { ModelRequest } from '../../../protocols/turn/dialect.ts';
import { type DialectName, dialectNames } from '../../../protocols/turn/turn.ts';
import type { ScriptLine } from '../script-line.ts';
import { lineTurn } from './line-turn.ts';

export function shapeProblem(line: ScriptLine, where: string): Problem | undefined {
  const id = line.shape ?? '';
  const shape = shapeOf(id);
  const playable = shapes.filter(({ make }) => make !== undefined).map((one) => one.id);
  if (shape === undefined) {
    const meant = nearest(id, playable);
    const next = meant === undefined ? 'see docs/reference/shapes.md' : `write ${meant}`;
    return problem(where, `there is no shape ${JSON.stringify(id)}`, playable, next);
  }
  if (shape.make === undefined) {
    const why = shape.why ?? 'it is one of the tool protocol';
    return problem(where, `a model cannot send the shape ${id}: ${why}`, playable, 'choose another shape');
  }
  if (line.error !== undefined || line.hangs !== undefined)
    return problem(
      where,
      `a line with an error, or that hangs, has no shape`,
      playable,
      'remove one of them',
    );
  if (isPossible(shape, line)) return undefined;
  const next = 'give the line what the shape is about: text, reasoning, one call, several calls, arguments';
  return problem(
    where,
    `the shape ${id} (${shape.title}) has nothing to say about this line`,
    playable,
    next,
  );
}

/** Which dialect will ask is not known yet: one is enough. */
function isPossible({ over, make }: Shape, line: ScriptLine): boolean {
  return dialectNames
    .filter((name) => over.includes(name))
    .some((dialect) =>
      [true, false].some((streamed) => make?.(sampleInput(line, dialect, streamed)) !== undefined),
    );
}

function sampleInput(
  line: ScriptLine,
  dialect: DialectName,
  streamed: boolean,
): Parameters<NonNullable<Shape['make']>>[0] {
  const random = createRandom('sample');
  const turn = lineTurn(line, dialect, nothingAsked, 'sample');
  const about = {
    id: 'sample',
    model: 'sample',
    createdAt: 0,
    wantsUsage: true,
    pieceChars: line.pieceChars ?? 8,
  };
  return { dialect, turn, about, streamed, random };
}

const nothingAsked: ModelRequest = {
  model: 'sample',
  stream: true,
  wantsUsage: true,
  system: '',
  messages: [],
  tools: [],
  maxTokens: null,
  faults: [],
  historyFaults: [],
};

function problem(where: string, what: string, playable: readonly string[], next: string): Problem {
  return new Problem({ code: 'config.bad-value', where, what, allowed: playable.join(', '), next });
}
