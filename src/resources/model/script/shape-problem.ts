/** Whether there is such a shape for a model to send; whether it fits is known when the request has come. */
import { nearest } from '../../../kernel/nearest.ts';
import { Problem } from '../../../kernel/problem.ts';
import { shapeOf, shapes } from '../../../protocols/shapes/shape-table.ts';
import type { ScriptLine } from '../script-line.ts';

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
  return undefined;
}

function problem(where: string, what: string, playable: readonly string[], next: string): Problem {
  return new Problem({ code: 'config.bad-value', where, what, allowed: playable.join(', '), next });
}
