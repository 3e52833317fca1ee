/** Checks names within checks over the whole journal: of edges, steps, checks and parties. */
import type { AgreeQuery, BlameQuery, CorrelateQuery, OrderQuery } from '../../checks/derived-queries.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { type EdgeEnds, looksAtEdge } from '../../kernel/edge-name.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { System } from '../../system/system.ts';
import { isReadEdge, readEdges, whyUnread } from '../known-edges.ts';
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
  return judge(check.query, names).map(({ at, name, what, known, code }) =>
    problemAt(placed, 'value', [check.kind, ...at], {
      code: code ?? 'config.unknown-name',
      what,
      allowed: known.slice(0, 20).join(', ') || 'there is none',
      next: didYouMean(name, known, 'correct the name'),
    }),
  );
}

interface Wrong {
  readonly at: readonly (string | number)[];
  readonly name: string;
  readonly what: string;
  readonly known: readonly string[];
  readonly code?: ProblemCode;
}

type Judge = (query: CheckRecord['query'], names: DerivedNames) => readonly Wrong[];

const judges: Readonly<Record<string, Judge>> = {
  agree: (query, { known, ids }) => {
    const { said, received, changed } = query as unknown as AgreeQuery;
    const isKnown =
      looksAtEdge(known.edges, said) || looksAtEdge(known.edges, { from: said.to, to: said.from });
    return [
      ...(isKnown ? [] : [unknownEdge(['said'], said, known)]),
      ...(received.from === undefined || received.to === undefined
        ? []
        : readEdgeIn(['received', 'calls'], { from: received.from, to: received.to }, known)),
      ...(changed === undefined || ids.includes(changed)
        ? []
        : [
            {
              at: ['changed'],
              name: changed,
              what: `there is no check \`${changed}\` in this trial`,
              known: ids,
            },
          ]),
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
      const { edge, target } = checkKind(kind) ?? {};
      const at = ['through', index, kind];
      if (edge) return readEdgeIn(at, edge(part), names.known);
      return target ? serviceIn(at, part.service, names.known.system) : [];
    }),
  blame: (query, { known }) => {
    const { party, edge } = query as unknown as BlameQuery;
    const { services, resources, jobs } = known.system;
    const parties = [...services, ...resources, ...jobs].map(({ name }) => name);
    const [from = '', to = ''] = edge?.split(' -> ') ?? [];
    return [
      ...(parties.includes(party)
        ? []
        : [{ at: ['party'], name: party, what: `no party is called \`${party}\``, known: parties }]),
      ...(edge === undefined ? [] : edgeIn(['edge'], { from, to }, known)),
    ];
  },
};

function edgeIn(at: Wrong['at'], edge: EdgeEnds, known: KnownSystem): readonly Wrong[] {
  return looksAtEdge(known.edges, edge) ? [] : [unknownEdge(at, edge, known)];
}

/** An edge that is observed. */
function readEdgeIn(at: Wrong['at'], edge: EdgeEnds, known: KnownSystem): readonly Wrong[] {
  if (isReadEdge(edge, known.system) || !looksAtEdge(known.edges, edge)) return edgeIn(at, edge, known);
  const name = `${edge.from} -> ${edge.to}`;
  return [
    {
      at,
      name,
      what: whyUnread(name, known.system),
      known: readEdges(known.system),
      code: 'config.bad-value',
    },
  ];
}

function unknownEdge(at: Wrong['at'], { from, to }: EdgeEnds, { edges }: KnownSystem): Wrong {
  const name = `${from} -> ${to}`;
  return { at, name, what: `there is no edge \`${name}\``, known: edges };
}

function stepIn(at: Wrong['at'], step: string, { steps }: DerivedNames): readonly Wrong[] {
  return steps.includes(step)
    ? []
    : [
        {
          at,
          name: step,
          what: `there is no step \`as: ${step}\``,
          known: steps,
          code: 'trial.unknown-step',
        },
      ];
}

/** A folder belongs to no service. */
function serviceIn(at: Wrong['at'], service: unknown, system: System): readonly Wrong[] {
  const known = system.services.map(({ name }) => name);
  if (typeof service !== 'string' || known.includes(service)) return [];
  return [{ at, name: service, what: `no service is called \`${service}\``, known }];
}
