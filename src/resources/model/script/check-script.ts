/** Says before anything is played what of a script can never be played. */
import { isMap } from '../../../kernel/is-map.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { Problem, Problems } from '../../../kernel/problem.ts';
import { checkPattern } from '../../../patterns/check-pattern.ts';
import { printValue } from '../../../patterns/print-value.ts';
import { shapeOf, shapes } from '../../../protocols/shapes/shape-table.ts';
import { errorKinds } from '../provider-words.ts';
import type { ModelScript, ScriptLine } from '../script-line.ts';
import { isKind } from './send-error.ts';

const mostLines = 10_000;

interface ScriptPlace {
  /** `trial gateway/stream, resource model`. */
  readonly where: string;
  /** All possible callers. */
  readonly callers: readonly string[];
}

/** The script itself, in the type that it has when it is one; throws all of its problems. */
export function checkScript(script: unknown, place: ScriptPlace): ModelScript {
  if (script === undefined || script === null) return {};
  if (!isMap(script)) {
    const what = `the script of a model is ${printValue(script)}`;
    throw problem(
      place.where,
      what,
      'a map from callers to lists of lines',
      'write `service: [{ says: … }]`',
    );
  }
  const problems = Object.entries(script).flatMap(([caller, lines]) => callerProblems(caller, lines, place));
  const [first, ...others] = problems;
  if (first) throw others.length === 0 ? first : new Problems(problems);
  return script as ModelScript;
}

function callerProblems(caller: string, lines: unknown, { where, callers }: ScriptPlace): readonly Problem[] {
  const at = `${where}, script of ${caller}`;
  if (caller !== '*' && !callers.includes(caller)) return [unknownCaller(caller, where, callers)];
  if (!Array.isArray(lines)) {
    const what = `the lines are ${printValue(lines)}`;
    return [problem(at, what, 'a list of lines', 'write each line after a dash')];
  }
  if (lines.length > mostLines) {
    const what = `there are ${lines.length} lines`;
    return [
      problem(at, what, `at most ${mostLines} lines`, 'use `times`, or `standing` lines of the config'),
    ];
  }
  const forEver = lines.findIndex((line) => isMap(line) && line.times === 'any' && line.when === undefined);
  return lines.flatMap((line: unknown, index) => {
    const place = `${at}, line ${index + 1}`;
    if (!isMap(line))
      return [problem(place, `it is ${printValue(line)}`, 'a map such as { says: … }', 'write what it says')];
    return [
      ...lineProblems(line as ScriptLine, place),
      ...(forEver !== -1 && index > forEver && line.when === undefined
        ? [neverSent(place, forEver + 1)]
        : []),
    ];
  });
}

function lineProblems(line: ScriptLine, where: string): readonly Problem[] {
  const shape = line.shape === undefined ? undefined : shapeProblem(line, where);
  return [
    ...patternProblems('when', line.when, where),
    ...patternProblems('expect', line.expect, where),
    ...(shape === undefined ? [] : [shape]),
    ...(line.error === undefined ? [] : errorProblems(line.error.kind, where)),
  ];
}

function patternProblems(key: 'when' | 'expect', pattern: unknown, where: string): readonly Problem[] {
  if (pattern === undefined) return [];
  return checkPattern(pattern).map(
    ({ path, what, allowed, nearest: meant }) =>
      new Problem({
        code: 'config.bad-pattern',
        where: `${where}, \`${key}\` at ${path}`,
        what,
        allowed,
        next: meant === undefined ? 'correct the pattern' : `write ${meant}`,
      }),
  );
}

function errorProblems(kind: string | undefined, where: string): readonly Problem[] {
  if (kind === undefined || isKind(kind)) return [];
  const next = nearest(kind, errorKinds);
  return [
    problem(
      where,
      `unknown kind of error ${kind}`,
      errorKinds.join(', '),
      next === undefined ? 'leave it out: it follows from the status' : `write ${next}`,
    ),
  ];
}

function unknownCaller(caller: string, where: string, callers: readonly string[]): Problem {
  const meant = nearest(caller, callers);
  return new Problem({
    code: 'config.unknown-name',
    where,
    what: `there is a script for ${caller}, which never calls this model`,
    allowed: [...callers, '* (for all others)'].join(', '),
    next: meant === undefined ? 'give it a reference to the model, or remove its script' : `write ${meant}`,
  });
}

function neverSent(where: string, forEver: number): Problem {
  return problem(
    where,
    `it can never be used, because line ${forEver} answers any number of calls`,
    'lines after one with `times: any` that have a `when`',
    `give line ${forEver} a \`when\`, or move it to the end`,
  );
}

function problem(where: string, what: string, allowed: string, next: string): Problem {
  return new Problem({ code: 'config.bad-value', where, what, allowed, next });
}

function shapeProblem(line: ScriptLine, where: string): Problem | undefined {
  const id = line.shape ?? '';
  const shape = shapeOf(id);
  const playable = shapes.filter(({ make }) => make !== undefined).map((one) => one.id);
  const allowed = playable.join(', ');
  if (shape === undefined) {
    const meant = nearest(id, playable);
    const next = meant === undefined ? 'see docs/reference/shapes.md' : `write ${meant}`;
    return problem(where, `there is no shape ${JSON.stringify(id)}`, allowed, next);
  }
  if (shape.make === undefined) {
    const why = shape.why ?? 'it is one of the tool protocol';
    return problem(where, `a model cannot send the shape ${id}: ${why}`, allowed, 'choose another shape');
  }
  if (line.error !== undefined || line.hangs !== undefined)
    return problem(where, `a line with an error, or that hangs, has no shape`, allowed, 'remove one of them');
  return undefined;
}
