/** Converts a disturbance, as written, into a rule for its tap. */
import { defined } from '../../kernel/defined.ts';
import { durationMs, maybeMs } from '../../kernel/duration.ts';
import { partyIn } from '../../kernel/edge-name.ts';
import { didYouMean, nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { edgePattern } from '../../kinds/kind/edge-pattern.ts';
import { shapeOf, shapes } from '../../protocols/shapes/shape-table.ts';
import { attachedNames } from '../../system/attached/attached-services.ts';
import type { ExchangeFault, ExchangeRule, Place } from '../../taps/exchanges/exchange-rule.ts';
import { type DisturbDocument, disturbDocument } from '../document/disturb-document.ts';
import { httpEdges, stdioEdges } from '../known-edges.ts';
import type { Disturb } from '../trial.ts';
import { disturbedProblems } from './attached-problems.ts';
import { lineOf, type Placed, problemsAt, type RawMap, shapeProblems } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';

export interface BuiltDisturb {
  readonly disturb?: Disturb;
  readonly problems: readonly Problem[];
}

export function buildDisturb(placed: Placed<RawMap>, index: number, known: KnownSystem): BuiltDisturb {
  const problems = shapeProblems(placed, disturbDocument, () => false);
  if (problems.length > 0) return { problems };
  const written = placed.value as DisturbDocument;
  const [, from = '', to = ''] = edgePattern.exec(written.edge) ?? [];
  const edge = `${from} -> ${to}`;
  const isStdio = stdioEdges(known.system).includes(edge);
  const wrong = [
    ...(isStdio ? stdioProblems(placed, edge) : edgeProblems(placed, edge, known)),
    ...shapeNameProblems(placed, isStdio),
  ];
  if (wrong.length > 0) return { problems: wrong };
  const name = `disturb[${index}]`;
  const { crossing, where } = written;
  const chosen = defined({ crossing, where: where as ExchangeRule['where'] });
  const rule: ExchangeRule = { name, ...chosen, fault: faultOf(written) };
  return { disturb: { from, to, line: lineOf(placed), rule }, problems: [] };
}

function edgeProblems(placed: Placed<RawMap>, edge: string, { edges, system }: KnownSystem): Problem[] {
  const theirs = attachedNames(system);
  const able = httpEdges(system).filter((one) => !theirs.includes(partyIn(one.split(' -> ')[1] ?? '')));
  const to = partyIn(edge.split(' -> ')[1] ?? '');
  if (theirs.includes(to)) return disturbedProblems(placed, to, able);
  if (able.includes(edge)) return [];
  if (edges.includes(edge)) {
    return problemsAt(placed, 'value', ['edge'], {
      code: 'config.bad-value',
      what: `\`${edge}\` cannot be disturbed: it does not speak HTTP`,
      allowed: able.slice(0, 20).join(', '),
      next: 'disturb an edge of HTTP; or `stop` and `start` the service behind it as steps',
    });
  }
  const turned = edge.split(' -> ').reverse().join(' -> ');
  const guess = edges.includes(turned) ? turned : nearest(edge, edges);
  return problemsAt(placed, 'value', ['edge'], {
    code: 'config.unknown-name',
    what: `there is no edge \`${edge}\``,
    allowed: edges.slice(0, 20).join(', '),
    next: guess ? `did you mean \`${guess}\`?` : 'name an edge of the system',
  });
}

/** Over stdio there are only lines: answers can be sent in another shape, and requests selected by their method. */
function stdioProblems(placed: Placed<RawMap>, edge: string): Problem[] {
  const { shape, where } = placed.value as DisturbDocument;
  const odd = (['method', 'path'] as const).find((key) => where?.[key] !== undefined);
  if (shape !== undefined && odd === undefined) return [];
  return problemsAt(placed, 'value', odd === undefined ? ['edge'] : ['where', odd], {
    code: 'config.bad-value',
    what: `\`${edge}\` is a tool server on stdio, where ${odd === undefined ? 'only `shape` can be done' : `there is no ${odd} of HTTP`}`,
    allowed: 'shape: M36, with or without where: { rpc: tools/call }',
    next: 'choose a shape, or disturb an edge of HTTP',
  });
}

function shapeNameProblems(placed: Placed<RawMap>, isStdio: boolean): Problem[] {
  const { shape } = placed.value;
  if (typeof shape !== 'string') return [];
  const { over = [], title } = shapeOf(shape) ?? {};
  const isThere = over.some((transport) => (transport === 'mcp-stdio') === isStdio);
  const problems = unknownShape(placed, ['shape'], shape);
  if (problems.length > 0 || isThere || over.length === 0) return problems;
  return problemsAt(placed, 'value', ['shape'], {
    code: 'config.bad-value',
    what: `the shape ${shape} (${title}) is ${isStdio ? 'not of stdio, and this edge is' : 'of tool servers on stdio, and this edge is not'}`,
    allowed: `a shape whose row names ${isStdio ? 'stdio' : 'what is spoken here'}; docs/reference/shapes.md lists them`,
    next: 'choose another one',
  });
}

/** Also used for script lines. */
export function unknownShape(
  placed: Placed<unknown>,
  key: readonly (string | number)[],
  id: string,
): Problem[] {
  const known = shapeOf(id);
  if (known?.make || known?.makeRpc) return [];
  return problemsAt(placed, 'value', key, {
    code: 'config.unknown-name',
    what: known
      ? `the shape ${id} cannot be made: ${known.why ?? 'it has no generator'}`
      : `there is no shape \`${id}\``,
    allowed: 'a row of the corpus that can be made; docs/reference/shapes.md lists them',
    next: didYouMean(
      id,
      shapes.filter(({ make, makeRpc }) => make ?? makeRpc).map((shape) => shape.id),
      'choose another one',
    ),
  });
}

function faultOf(written: DisturbDocument): ExchangeFault {
  const { delay, cut, hold, answer, duplicate, drop, reorder, shape } = written;
  if (delay !== undefined) return delayOf(delay);
  if (cut !== undefined) return { do: 'cut', at: cut.at as Place, by: cut.by ?? 'fin' };
  if (hold !== undefined) {
    const at = (hold.at ?? { head: true }) as Place;
    return { do: 'hold', at, ...defined({ ms: maybeMs(hold.for) }) };
  }
  if (answer !== undefined)
    return { do: 'answer', ...(answer as Omit<Extract<ExchangeFault, { do: 'answer' }>, 'do'>) };
  if (duplicate !== undefined)
    return duplicate === 'request'
      ? { do: 'duplicate', what: 'request' }
      : { do: 'duplicate', what: 'event', event: duplicate.event };
  if (drop !== undefined) return { do: 'drop', event: drop.event };
  if (reorder !== undefined)
    return { do: 'reorder', events: reorder as unknown as readonly [number, number] };
  return { do: 'shape', shape: shape as string };
}

function delayOf(delay: NonNullable<DisturbDocument['delay']>): ExchangeFault {
  const { of = 'response', for: late, jitter } = typeof delay === 'string' ? { for: delay } : delay;
  const ms = durationMs(late, 0);
  return { do: 'delay', of, ms, ...defined({ jitterMs: maybeMs(jitter) }) };
}
