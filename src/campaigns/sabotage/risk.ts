/** How severe it would be if a place of an observation were wrong and no check failed. */

import { isContainer } from '../../kernel/exact-json.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { PathKey } from '../../patterns/value-path.ts';

export type RiskName = 'outcome' | 'call' | 'amount' | 'stored' | 'identity' | 'content' | 'count' | 'detail';

const weights: Readonly<Record<RiskName, number>> = {
  amount: 100,
  identity: 95,
  outcome: 90,
  call: 85,
  stored: 80,
  content: 60,
  count: 50,
  detail: 20,
};

export function weightOf(risk: RiskName): number {
  return weights[risk];
}

const outcome =
  /^(?:status|statusCode|isError|error|errors|ok|success|exitCode|outcome|result|state|verdict|degraded|closedBy)$/i;
const amount =
  /(?:amount|balance|price|cost|total|sum|quantity|qty|severity|score|count|rate|limit|weight|dose|budget|usd|eur)$/i;
/** Who it belongs to, and what they may do. */
const identity =
  /(?:^id|Id|_id|session|user|owner|tenant|account|caller|sender|recipient|role|roles|scope|scopes|permissions?|authori[sz]ed|allowed|admin)$/i;
/** What something is called; less than whose it is. */
const named = /(?:name|key)$/i;
const trouble = /^(?:errors?|exception|fault|degraded)$/i;
/** What differs from run to run, or is made by machines for machines. */
const passing =
  /(?:duration|elapsed|uptime|Ms$|_ms$|date$|time$|_at$|At$|timestamp|port$|pid$|etag|sha256|hash|checksum|trace|span|nonce|^rss|^fds|version|user-agent|keep-alive|connection$|transfer-encoding|content-length|server$|^bytes|^seq$|^crossing$|^samples$|^line$|^mode$|^url$|^host$|^dialect$)/i;

/** Whole parts of that kind; what a tool takes is declared in a schema. */
const machinery = new Set(['headers', 'raw', 'inputSchema', 'input_schema']);

const madeAnew =
  /^(?:[a-z]+[-_])?(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,})$|^\d{4}-\d\d-\d\dT/i;

/** An id or a time that is different in every run. */
export function isMadeAnew(value: unknown): boolean {
  return typeof value === 'string' && madeAnew.test(value);
}

/** An outcome is a word or two; a long text under such a name is content. */
const longestOutcome = 40;

/** Undefined for places that are not worth a check. */
export function riskOf(keys: readonly PathKey[], value: unknown, observer: string): RiskName | undefined {
  const names = keys.filter((key) => typeof key === 'string');
  const name = names.at(-1) ?? '';
  if (passing.test(name) || names.some((one) => machinery.has(one))) return undefined;
  if (names.includes('tools') && names.includes('parameters')) return undefined;
  if (Array.isArray(value)) return 'count';
  if (isContainer(value)) return undefined;
  const { unread, comparesAsSql } = checkKind(observer) ?? {};
  if (unread === 'ignored') return undefined;
  // A null is worth a check only where a problem would be reported.
  if (value === null) return trouble.test(name) ? 'outcome' : undefined;
  const isLong = typeof value === 'string' && value.length > longestOutcome;
  if (outcome.test(name) && names.length <= 3 && (!isLong || trouble.test(name))) return 'outcome';
  if (typeof value === 'number' && amount.test(name)) return 'amount';
  // An id that the database assigns to a row.
  if (comparesAsSql && name === 'id' && typeof value === 'number') return undefined;
  if (unread === 'stored') return 'stored';
  // Values made for each answer, and tools offered with each request, are for programs to pass back.
  if (isMadeAnew(value) || (names.includes('request') && names.includes('tools'))) return 'detail';
  if (identity.test(name)) return 'identity';
  if (named.test(name)) return 'content';
  if (typeof value === 'string' && value.length > 0) return 'content';
  return typeof value === 'number' || typeof value === 'boolean' ? 'detail' : undefined;
}

/** A path without the ids that are made anew in every run. */
export function withoutMadeParts(path: string): string {
  const [place = ''] = path.split('?');
  return place
    .split('/')
    .map((part) => (/[0-9a-f]{8}|^\d+$/i.test(part) ? '*' : part))
    .join('/');
}
