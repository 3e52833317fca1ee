/** Sees the spans that services sent since the attempt began: `spans: gateway`. */
import type { SpanEvidence } from '../../journal/peer-event.ts';
import { fitsStars } from '../../kernel/fits-stars.ts';
import { spanFields } from '../../kinds/spans/check.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { telemetryLimits } from '../../resources/telemetry/telemetry-limits.ts';
import { isMatch, keepMatching } from '../keep-matching.ts';
import { ObservationError, type Observer, type ObserverContext, watching } from '../observer.ts';
import { refuseUnknownKeys, spokenKeys, withoutKeys } from '../spoken-keys.ts';

export interface SpansQuery {
  /** `service.name` of the sender. */
  readonly service?: string;
  /** `*` matches anything. */
  readonly name?: string;
  readonly where?: unknown;
}

export const spansObserver: Observer<SpansQuery> = {
  name: 'spans',
  open: async (context) => watching(context, (query) => look(query, context)),
};

/** In the order in which they came in. */
async function look(query: SpansQuery, context: ObserverContext): Promise<readonly SpanEvidence[]> {
  const { service, name, where } = query;
  refuseUnknownKeys(where, Object.keys(spanFields), 'a span');
  const spans = spansOf(context);
  const meant = spans.filter(
    (span) =>
      (service === undefined || span.service === service) &&
      (name === undefined || fitsStars(name, span.name)),
  );
  const kept = await keepMatching(context.clock, context.signal, where, meant);
  refuseCut(where, meant);
  return kept;
}

function spansOf({ spans }: ObserverContext): readonly SpanEvidence[] {
  const all = spans?.();
  if (all === undefined)
    throw new ObservationError(
      'the config declares no resource of the kind `telemetry`, so that no span can come in',
    );
  if (all.length > telemetryLimits.spans)
    throw new ObservationError(`more than ${telemetryLimits.spans} spans came in, and only those are kept`);
  return all;
}

/** What can be missing; all else of a span is always whole. */
const cutKeys = ['attributes', 'events'];

/** These may hold because something is missing. */
const negations = /"\$(?:absent|not|ne|each|length|exact)"/;

/** Only where the condition reads what was not kept, and everything else in it holds. */
function refuseCut(where: unknown, spans: readonly SpanEvidence[]): void {
  if (!isPlainMap(where)) return;
  const read = mentioned(where);
  if (read.length === 0) return;
  const isPositive = !negations.test(JSON.stringify(where));
  for (const span of spans) {
    if (!span.cut || !isMatch(withoutKeys(where, read), span)) continue;
    if (isPositive && isMatch(where, span)) continue;
    throw new ObservationError(
      `span ${span.name} was too large to be kept whole, so that ${read.join(' and ')} cannot be compared`,
    );
  }
}

function mentioned(where: Readonly<Record<string, unknown>>): readonly string[] {
  const spoken = [...spokenKeys(where), ...Object.keys(where)];
  return cutKeys.filter((key) => spoken.includes(key));
}
