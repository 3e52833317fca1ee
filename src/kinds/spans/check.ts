/** Spans that services sent since the attempt began. */

import { betweenStars } from '../../kernel/fits-stars.ts';
import type { CheckKind } from '../kind/check-kind.ts';
import { alike, type Fields, measured, system } from '../kind/evidence.ts';
import type { Observation, Pattern, Row } from '../kind/flow-method.ts';
import type { Spec } from '../kind/step-kind.ts';

export const spanFields: Fields = {
  ...alike('service name', system),
  kind: { ...system, enum: ['internal', 'server', 'client', 'producer', 'consumer'] },
  ...alike('traceId spanId parentSpanId attributes events', system),
  status: { ...system, fields: { code: { ...system, enum: ['unset', 'ok', 'error'] } } },
  ...alike('durationMs startedAt', system),
  cut: measured,
};

export interface SpansFlow {
  /** Spans of a sender, by its `service.name`; `*` matches any. */
  readonly spans: <Span = Row>(
    service: string,
    options?: {
      /** Only spans of this name; `*` matches any characters. */
      readonly name?: string;
      readonly where?: Pattern;
    },
  ) => Observation<readonly Span[]>;
}

export const spansCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  isCopied: true,
  query: (named, own) => (named === '*' ? own : { service: named, ...own }),
  source: ({ service, name }) => ['spans', service, name].filter((part) => part !== undefined).join(' '),
  sourceKey: 'name',
  forms: { name: 'stars' },
  fields: () => spanFields,
  flow: (service: string, options: Spec) => ({ spans: service, ...options }),
  filters: ({ name }) => {
    if (typeof name !== 'string') return [];
    const parts = betweenStars(name).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return [['name', `^${parts.join('.*')}$`]];
  },
};
