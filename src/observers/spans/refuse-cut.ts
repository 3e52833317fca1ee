/** A span of which a part is missing must not look like one that holds something else. */
import type { SpanEvidence } from '../../journal/peer-event.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { isMatch } from '../keep-matching.ts';
import { CannotSee } from '../observer.ts';
import { spokenKeys, withoutKeys } from '../spoken-keys.ts';

/** What can be missing; all else of a span is always whole. */
const cutKeys = ['attributes', 'events'];

/** These may hold because something is missing. */
const negations = /"\$(?:absent|not|ne|each|length|exact)"/;

/** Only where the condition reads what was not kept, and everything else in it holds. */
export function refuseCut(where: unknown, spans: readonly SpanEvidence[]): void {
  if (!isPlainMap(where)) return;
  const read = mentioned(where);
  if (read.length === 0) return;
  const isPositive = !negations.test(JSON.stringify(where));
  for (const span of spans) {
    if (!span.cut || !isMatch(withoutKeys(where, read), span)) continue;
    if (isPositive && isMatch(where, span)) continue;
    throw new CannotSee(
      `span ${span.name} was too large to be kept whole, so that ${read.join(' and ')} cannot be compared`,
      'never',
    );
  }
}

function mentioned(where: Readonly<Record<string, unknown>>): readonly string[] {
  const spoken = [...spokenKeys(where), ...Object.keys(where)];
  return cutKeys.filter((key) => spoken.includes(key));
}
