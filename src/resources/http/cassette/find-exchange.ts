/** Finds the recorded call that a request is for, or says in which part it differs. */
import type { RenamedIds } from '../../cassette/renamed-ids.ts';
import { textDifference, valueDifference } from '../../cassette/value-difference.ts';
import { peerLimits } from '../peer-limits.ts';
import type { ExchangeParts, RecordedExchange } from './exchange-parts.ts';

export type FoundExchange =
  | { readonly found: RecordedExchange }
  /** What changed; `nearest` is the call that was probably meant. */
  | { readonly drift: string; readonly nearest?: RecordedExchange };

/** `all` are those that were recorded of the caller, `left` those that were not played yet. */
export function findExchange(
  now: ExchangeParts,
  all: readonly RecordedExchange[],
  left: readonly RecordedExchange[],
  ids: RenamedIds,
): FoundExchange {
  const found = left.find(({ request }) => driftIn(request, now, ids).length === 0);
  if (found) return { found };
  const isSameCall = ({ request }: RecordedExchange): boolean =>
    request.method === now.method && textDifference(request.path, now.path).length === 0;
  const nearest = left.find(isSameCall);
  if (nearest) return { drift: driftIn(nearest.request, now, ids).join('; '), nearest };
  return { drift: notRecorded(now, all, all.filter(isSameCall).length) };
}

/** A sentence for each part that changed; none where it is the same request. */
export function driftIn(recorded: ExchangeParts, now: ExchangeParts, ids: RenamedIds): readonly string[] {
  const said = (part: string, how: readonly string[]): readonly string[] =>
    how.map((difference) => `${part} changed: ${difference}`);
  const drift = [
    ...(recorded.method === now.method
      ? []
      : [`the method changed from ${recorded.method} to ${now.method}`]),
    ...said('the path', textDifference(recorded.path, now.path)),
    ...said('the query', valueDifference(recorded.query, now.query)),
    ...said('the body', bodyDifference(recorded, now)),
  ];
  if (drift.length > 0) return drift;
  const objection = ids.objection(idParts(recorded), idParts(now));
  return objection === undefined ? [] : [`an id changed: ${objection}`];
}

/** Ids are looked for in all of it but the method. */
export function idParts({ path, query, json, form, text }: ExchangeParts): readonly unknown[] {
  return [path, query, json, form, text];
}

function bodyDifference(recorded: ExchangeParts, now: ExchangeParts): readonly string[] {
  const [before, after] = [bodyKind(recorded), bodyKind(now)];
  if (before !== after) return [`recorded ${before}, now ${after}`];
  if (recorded.text !== undefined && now.text !== undefined) return textDifference(recorded.text, now.text);
  if (recorded.base64 !== undefined)
    return recorded.base64 === now.base64 ? [] : ['its bytes differ, and they are not text'];
  if (recorded.form !== undefined) return valueDifference(recorded.form, now.form);
  return valueDifference(recorded.json, now.json);
}

function bodyKind({ json, form, text, base64 }: ExchangeParts): string {
  if (form !== undefined) return 'a form';
  if (text !== undefined) return 'a text';
  if (base64 !== undefined) return 'bytes';
  return json === undefined ? 'none' : 'JSON';
}

function notRecorded(
  { method, path }: ExchangeParts,
  all: readonly RecordedExchange[],
  sameCalls: number,
): string {
  const asked = `${method} ${path}`;
  if (sameCalls === 1) return `the recording has one call ${asked}, and it has been played`;
  if (sameCalls > 1) return `the recording has ${sameCalls} calls ${asked}, and all have been played`;
  const titles = [...new Set(all.map(({ request }) => `${request.method} ${request.path}`))];
  const shown = titles.slice(0, peerLimits.namedLines);
  const rest = titles.length > shown.length ? ` and ${titles.length - shown.length} more` : '';
  return `${asked} is not in the recording, which has ${shown.join(', ') || 'nothing of this caller'}${rest}`;
}
