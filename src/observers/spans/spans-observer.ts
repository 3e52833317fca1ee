/** Sees the spans that services sent since the attempt began: `spans: gateway`. */
import type { SpanEvidence } from '../../journal/peer-event.ts';
import { untilAborted } from '../../kernel/until-aborted.ts';
import { telemetryLimits } from '../../resources/telemetry/telemetry-limits.ts';
import { keepMatching } from '../keep-matching.ts';
import { CannotSee, type Observer, type ObserverContext } from '../observer.ts';
import { spanKeys } from '../seen-keys.ts';
import { refuseUnknownKeys } from '../spoken-keys.ts';
import { refuseCut } from './refuse-cut.ts';

export interface SpansQuery {
  /** `service.name` of the sender. */
  readonly service?: string;
  /** `*` stands for anything. */
  readonly name?: string;
  readonly where?: unknown;
}

export const spansObserver: Observer<SpansQuery> = {
  name: 'spans',
  source: ({ service, name }) => ['spans', service, name].filter((part) => part !== undefined).join(' '),
  open: async (context) => ({
    look: (query) => untilAborted(context.signal, look(query, context)),
    close: async () => {},
  }),
};

/** In the order in which they came in. */
async function look(query: SpansQuery, context: ObserverContext): Promise<readonly SpanEvidence[]> {
  const { service, name, where } = query;
  refuseUnknownKeys(where, spanKeys, 'a span');
  const spans = spansOf(context);
  const meant = spans.filter(
    (span) =>
      (service === undefined || span.service === service) && (name === undefined || isNamed(span.name, name)),
  );
  const kept = await keepMatching(context.clock, context.signal, where, meant);
  refuseCut(where, meant);
  return kept;
}

function spansOf({ spans }: ObserverContext): readonly SpanEvidence[] {
  const all = spans?.();
  if (all === undefined)
    throw new CannotSee(
      'the config declares no resource of the kind `telemetry`, so that no span can come in',
      'never',
    );
  if (all.length > telemetryLimits.spans)
    throw new CannotSee(`more than ${telemetryLimits.spans} spans came in, and only those are kept`, 'never');
  return all;
}

/** Each part between the gaps is looked for once, from left to right. */
function isNamed(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
