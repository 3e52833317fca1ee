/** What a number counts, judging by its name: a mutant must be a value that a broken system could show. */
import type { PathKey } from '../value-path.ts';

/** Statuses; a check must distinguish at least one of them from the one that was seen. */
const statuses: readonly number[] = [200, 400, 401, 404, 429, 500, 503];
const exitCodes: readonly number[] = [0, 1, 2, 127];
/** Durations that we measure are at least this long, and end with our timeout. */
const shortestMs = 0.01;
const longestMs = 30_000;
/** Below this, a status is the system's own and not one of HTTP. */
const mostOwnStatus = 20;

const counted =
  /(?:^|[a-z_-])(?:count|counts|total|length|size|bytes|restarts|retries|attempts|crossing|line|index|port|pid|fds|rss|tokens|items|pages?|version|turns?|rounds?)$|(?:^id|[a-z]Id|_id)$|(?:Ms|_ms|Bytes|Count)$|^(?:duration|elapsed|uptime|samples|seq|bytes)/;

/** Other values that the number could have had. */
export function numberMutants(value: number, key: PathKey | undefined): readonly number[] {
  if (key === 'status' && isStatus(value)) return statuses.filter((status) => status !== value);
  if (key === 'exitCode') return exitCodes.filter((code) => code !== value);
  const step = Number.isInteger(value) ? 1 : value / 10;
  if (key === 'durationMs') return [longestMs].filter((mutant) => mutant > value);
  const mutants = [value + step, value - step, 0, -value, value * 1_000 + 7, ...(isLarge(key) ? [1e12] : [])];
  return [...new Set(mutants)].filter((mutant) => mutant !== value && isPossibleNumber(mutant, key, value));
}

/** False if it is out of proportion to what was seen: a bound there does not bound anything. */
export function isNear(value: number, seen: number, key: PathKey | undefined): boolean {
  return isLarge(key) || Math.abs(value) <= Math.max(Math.abs(seen) * 1_010, farthest);
}

const farthest = 1e6;

/** Memory and time have no natural scale. */
function isLarge(key: PathKey | undefined): boolean {
  return /bytes|rss|size|memory|growth|heap|duration|elapsed|latency|Ms$|_ms$/i.test(String(key));
}

/** False for what no system could show: a negative count, a status that does not exist. */
export function isPossibleNumber(value: number, key: PathKey | undefined, seen?: unknown): boolean {
  if (key === 'status') {
    const isOwn = typeof seen === 'number' && seen <= mostOwnStatus;
    return isOwn ? value >= 0 && value <= mostOwnStatus : isStatus(value);
  }
  if (key === 'durationMs') return value >= shortestMs && value <= longestMs;
  if (key === 'exitCode') return exitCodes.includes(value);
  return value >= 0 || !counted.test(String(key));
}

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 200 && value <= 599;
}
