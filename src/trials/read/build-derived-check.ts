/** Converts a check over the whole journal, as written, into the query of its judge. */
import {
  type CorrelatePart,
  type Moment,
  type OrderQuery,
  type ReceivedQuery,
  saysNever,
} from '../../checks/derived-queries.ts';
import { orderSource } from '../../checks/sources-seen.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { defined } from '../../kernel/defined.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { edgeName } from '../../kernel/edge-name.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { edgePattern } from '../../kinds/kind/edge-pattern.ts';
import { placeKinds } from '../kinds/check-table.ts';
import type { RawMap } from './placed.ts';

type Built = Pick<CheckRecord, 'kind' | 'source' | 'query' | 'mode' | 'absence' | 'provenBy' | 'withinMs'>;

export function buildDerivedCheck(kind: string, raw: RawMap): Built {
  const query = queries[kind]?.(raw[kind]) ?? {};
  const order = kind === 'order' ? (query as unknown as OrderQuery) : undefined;
  const never = order?.moments.find((moment) => 'never' in moment);
  const withinMs = typeof raw.within === 'string' ? parseDuration(raw.within) : undefined;
  return {
    kind,
    source: never && 'from' in never ? orderSource(`${never.from} -> ${never.to}`) : kind,
    query,
    mode: 'quiet',
    absence: order !== undefined && saysNever(order),
    ...(typeof raw.provenBy === 'string' ? { provenBy: raw.provenBy } : {}),
    ...defined({ withinMs }),
  };
}

const queries: Readonly<Record<string, (written: unknown) => RawMap>> = {
  agree: (written) => {
    const { said, received, changed } = written as { said: string; received: unknown; changed?: string };
    return defined({ said: ends(said), received: receivedOf(received), changed });
  },
  order: (written) => ({ moments: (written as readonly RawMap[]).map(momentOf) }),
  correlate: (written) => {
    const { id, through } = written as { id: unknown; through: readonly RawMap[] };
    return { id, parts: through.map(partOf) };
  },
  blame: (written) => {
    const { edge, ...rest } = written as { edge?: string };
    return { ...rest, ...(edge === undefined ? {} : { edge: edgeName(edge) }) };
  },
};

function receivedOf(written: unknown): ReceivedQuery {
  if (typeof written === 'string') return { tool: written };
  const { calls, ...rest } = written as { calls: string };
  return { ...ends(calls), ...rest };
}

function momentOf({ exchange, calls, never, where, phase }: RawMap): Moment {
  const rest = {
    ...defined({ where }),
    ...(phase === undefined ? {} : { phase: phase as 'begin' | 'end' }),
  };
  if (exchange !== undefined) return { exchange: String(exchange), ...rest };
  if (calls !== undefined) return { ...ends(String(calls)), ...rest };
  return { ...ends(String(never)), ...defined({ where }), never: true };
}

function partOf(written: RawMap): CorrelatePart {
  const kind = placeKinds.find((candidate) => written[candidate] !== undefined) ?? 'exchange';
  const { column, [kind]: named, ...own } = written;
  const query = checkKind(kind)?.query(named, own) ?? {};
  return { kind, query, ...(typeof column === 'string' ? { column } : {}) };
}

function ends(edge: string): { readonly from: string; readonly to: string } {
  const [, from = '', to = ''] = edgePattern.exec(edge) ?? [];
  return { from, to };
}
