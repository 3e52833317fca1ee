/** Static validation of a pattern, before it is matched with a value. */
import { nearest } from '../kernel/nearest.ts';
import type { Inspection, Operator } from './operators/operator.ts';
import { isOperatorKey, operatorNames, operatorTable } from './operators/operator-table.ts';
import { patternLimits } from './pattern-limits.ts';
import { isPlainMap, kindOf, type PlainMap, toPlain } from './plain-value.ts';
import { printValue } from './print-value.ts';
import { extendPath, type PathKey } from './value-path.ts';

export interface PatternFault {
  /** Where in the pattern, such as `$.severity.$gte`. */
  readonly path: string;
  readonly what: string;
  readonly allowed: string;
  /** The operator that was probably intended. */
  readonly nearest?: string;
}

/** `open`: texts may still contain `${…}` references, and an operand with one is not checked. */
export type References = 'open' | 'resolved';

const allowedScalars =
  'a text, number, boolean, null, list or map; { $absent: true } for nothing, { $regex } for an expression';

export function checkPattern(pattern: unknown, references: References = 'open'): readonly PatternFault[] {
  const walk: Walk = { faults: [], nodes: 0, references };
  checkNode(pattern, { path: '$', depth: 0, inLiteral: false }, walk);
  return walk.faults;
}

interface Walk {
  readonly faults: PatternFault[];
  readonly references: References;
  nodes: number;
}

interface Spot {
  readonly path: string;
  readonly depth: number;
  /** Inside `$eq` and `$ne`, where a `$` has no meaning and undefined counts as absent. */
  readonly inLiteral: boolean;
}

function checkNode(node: unknown, spot: Spot, walk: Walk): void {
  if (exceedsLimits(spot, walk)) return;
  const plain = toPlain(node);
  if (Array.isArray(plain)) {
    for (const [index, item] of plain.entries()) checkNode(item, below(spot, index), walk);
  } else if (isPlainMap(plain) && !isForeign(plain)) {
    for (const key of Object.keys(plain)) checkEntry(key, plain, spot, walk);
  } else {
    const what = foreignName(plain, spot);
    if (what !== undefined)
      walk.faults.push({ path: spot.path, what: `${what} is not a pattern`, allowed: allowedScalars });
  }
}

/** The name of a value that cannot be part of a pattern; undefined for a scalar. */
function foreignName(plain: unknown, { inLiteral }: Spot): string | undefined {
  if (isPlainMap(plain))
    return `a ${(plain.constructor as { name?: string } | undefined)?.name ?? 'foreign object'}`;
  if (kindOf(plain) === 'absent') return inLiteral ? undefined : 'undefined';
  if (typeof plain === 'number' && !Number.isFinite(plain)) return String(plain);
  return kindOf(plain) === 'other' ? `a ${typeof plain}` : undefined;
}

function checkEntry(key: string, map: PlainMap, spot: Spot, walk: Walk): void {
  const operator = operatorTable.get(key);
  if (spot.inLiteral || !isOperatorKey(key)) checkNode(map[key], below(spot, key), walk);
  else if (operator) checkOperator(operator, map, spot, walk);
  else walk.faults.push(...companionFaults(key, map, spot));
}

function checkOperator(
  { name, takes, companion, check }: Operator,
  map: PlainMap,
  spot: Spot,
  walk: Walk,
): void {
  const operand = map[name];
  if (isOpen(operand, walk)) return;
  check(
    operand,
    createInspection(name, operand, takes, below(spot, name), walk),
    companion && map[companion],
  );
}

/** A key that is not an operator: valid beside its owner, otherwise stray or unknown. */
function companionFaults(key: string, map: PlainMap, spot: Spot): readonly PatternFault[] {
  const owner = [...operatorTable.values()].find(({ companion }) => companion === key);
  if (!owner) return [unknownFault(key, spot)];
  if (Object.hasOwn(map, owner.name)) return [];
  const { path } = below(spot, key);
  return [{ path, what: `${key} without ${owner.name}`, allowed: `${key} beside ${owner.name}` }];
}

function createInspection(name: string, operand: unknown, takes: string, spot: Spot, walk: Walk): Inspection {
  const under = (keys: readonly PathKey[] = []): Spot => keys.reduce<Spot>(below, spot);
  return {
    fault: (what, keys) => {
      walk.faults.push({
        path: under(keys).path,
        what: `${name} ${what}: ${printValue(operand)}`,
        allowed: takes,
      });
    },
    pattern: (pattern, keys) => checkNode(pattern, under(keys), walk),
    literal: (value) => checkNode(value, { ...spot, inLiteral: true }, walk),
    isOpen: (value) => isOpen(value, walk),
  };
}

function isOpen(value: unknown, walk: Walk): boolean {
  return walk.references === 'open' && typeof value === 'string' && value.includes('${');
}

function below(spot: Spot, key: PathKey): Spot {
  return { ...spot, path: extendPath(spot.path, key), depth: spot.depth + 1 };
}

/** The limits also end a pattern that contains itself. After the first such fault nothing more is checked. */
function exceedsLimits({ path, depth }: Spot, walk: Walk): boolean {
  const { patternDepth, patternNodes } = patternLimits;
  if (walk.nodes > patternNodes) return true;
  walk.nodes += 1;
  if (walk.nodes <= patternNodes && depth <= patternDepth) return false;
  walk.nodes = patternNodes + 1;
  const allowed = `at most ${patternDepth} levels and ${patternNodes} values`;
  walk.faults.push({ path, what: 'the pattern is too large, or contains itself', allowed });
  return true;
}

/** A Map, Set or RegExp has no own keys and would silently ask for nothing. */
function isForeign(map: PlainMap): boolean {
  const prototype: unknown = Object.getPrototypeOf(map);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

function unknownFault(key: string, spot: Spot): PatternFault {
  const meant = nearest(key, operatorNames);
  return {
    path: below(spot, key).path,
    what: `unknown operator ${key}`,
    allowed: `${operatorNames.join(', ')}; a key of the data that starts with $ is written inside $eq or $path`,
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}
