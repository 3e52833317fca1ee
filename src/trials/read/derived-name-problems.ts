/** Names within checks of the whole journal: of edges, steps, checks and parties. */
import type {
  AgreeQuery,
  BlameQuery,
  CorrelateQuery,
  OrderQuery,
} from '../../checks/derived/derived-queries.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { type EdgeEnds, hasEdge } from '../../kernel/edge-name.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import type { System } from '../../system/system.ts';
import { readEdges, whyUnread } from '../known-edges.ts';
import { type Placed, problemAt } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';

export interface DerivedNames {
  readonly known: KnownSystem;
  readonly steps: readonly string[];
  /** Of all checks of the trial. */
  readonly ids: readonly string[];
}

export function derivedNameProblems(
  check: CheckRecord,
  placed: Placed<unknown>,
  names: DerivedNames,
): Problem[] {
  const judge = judges[check.kind];
  if (!judge) return [];
  return judge(check.query, names).map(({ at, what, known, code }) => {
    const [, wrong = ''] = /`(.*)`/.exec(what) ?? [];
    const guess = nearest(wrong, known);
    return problemAt(placed, 'value', [check.kind, ...at], {
      code: code ?? 'config.unknown-name',
      what,
      allowed: known.slice(0, 20).join(', ') || 'there is none',
      next: guess ? `did you mean \`${guess}\`?` : 'correct the name',
    });
  });
}

interface Wrong {
  readonly at: readonly (string | number)[];
  /** With the name between backticks. */
  readonly what: string;
  readonly known: readonly string[];
  readonly code?: ProblemCode;
}

type Judge = (query: CheckRecord['query'], names: DerivedNames) => readonly Wrong[];

const judges: Readonly<Record<string, Judge>> = {
  agree: (query, { known, ids }) => {
    const { said, received, changed } = query as unknown as AgreeQuery;
    const isKnown = hasEdge(known.edges, said) || hasEdge(known.edges, { from: said.to, to: said.from });
    return [
      ...(isKnown ? [] : [unknownEdge(['said'], said, known)]),
      ...(received.from === undefined || received.to === undefined
        ? []
        : readEdgeIn(['received', 'calls'], { from: received.from, to: received.to }, known)),
      ...(changed === undefined || ids.includes(changed)
        ? []
        : [{ at: ['changed'], what: `there is no check \`${changed}\` in this trial`, known: ids }]),
    ];
  },
  order: (query, names) =>
    (query as unknown as OrderQuery).moments.flatMap((moment, index): readonly Wrong[] => {
      if ('exchange' in moment) return stepIn([index, 'exchange'], moment.exchange, names);
      return readEdgeIn([index, 'never' in moment ? 'never' : 'calls'], moment, names.known);
    }),
  correlate: (query, names) =>
    (query as unknown as CorrelateQuery).parts.flatMap(({ kind, query: part }, index): readonly Wrong[] => {
      if (kind === 'exchange') return stepIn(['through', index, 'exchange'], String(part.exchange), names);
      if (kind !== 'calls')
        return serviceIn(['through', index, kind], kind, part.service, names.known.system);
      const { from, to } = part as { from: string; to: string };
      return readEdgeIn(['through', index, 'calls'], { from, to }, names.known);
    }),
  blame: (query, { known }) => {
    const { party, edge } = query as unknown as BlameQuery;
    const parties = partiesOf(known.system);
    const [from = '', to = ''] = edge?.split(' -> ') ?? [];
    return [
      ...(parties.includes(party)
        ? []
        : [{ at: ['party'], what: `nobody here is called \`${party}\``, known: parties }]),
      ...(edge === undefined ? [] : edgeIn(['edge'], { from, to }, known)),
    ];
  },
};

function partiesOf({ services, resources, jobs }: System): readonly string[] {
  return [...services, ...resources, ...jobs].map(({ name }) => name);
}

function edgeIn(at: Wrong['at'], edge: EdgeEnds, known: KnownSystem): readonly Wrong[] {
  return hasEdge(known.edges, edge) ? [] : [unknownEdge(at, edge, known)];
}

/** One on which something is looked for. */
function readEdgeIn(at: Wrong['at'], edge: EdgeEnds, known: KnownSystem): readonly Wrong[] {
  const read = readEdges(known.system);
  if (hasEdge(read, edge) || !hasEdge(known.edges, edge)) return edgeIn(at, edge, known);
  const what = whyUnread(`${edge.from} -> ${edge.to}`, known.system);
  return [{ at, what, known: read, code: 'config.bad-value' }];
}

function unknownEdge(at: Wrong['at'], { from, to }: EdgeEnds, { edges }: KnownSystem): Wrong {
  return { at, what: `there is no edge \`${from} -> ${to}\``, known: edges };
}

function stepIn(at: Wrong['at'], step: string, { steps }: DerivedNames): readonly Wrong[] {
  return steps.includes(step)
    ? []
    : [{ at, what: `there is no step \`as: ${step}\``, known: steps, code: 'trial.unknown-step' }];
}

/** Spans come from whoever sends them, and a folder is nobody's. */
function serviceIn(at: Wrong['at'], kind: string, service: unknown, system: System): readonly Wrong[] {
  const known = system.services.map(({ name }) => name);
  if (kind === 'spans' || typeof service !== 'string' || known.includes(service)) return [];
  return [{ at, what: `no service is called \`${service}\``, known }];
}
