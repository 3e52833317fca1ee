/** An absence counts only if its twin, in the same run, observed something in the same source. */
import { isOrderSource } from './sources-seen.ts';
import type { CheckRecord } from './trial-record.ts';
import type { SuiteFault, Verdict } from './verdict.ts';

export interface TwinCandidate {
  readonly id: string;
  readonly verdict: Verdict;
  readonly saw: readonly string[];
}

/** One fault for every absence of a trial whose twin does not prove it. Where all share one database, a table is the same by any name. */
export function judgeTwins(
  checks: readonly CheckRecord[],
  run: readonly TwinCandidate[],
  sharedDatabase?: string,
): SuiteFault[] {
  const placeOf = (source: string): string =>
    sharedDatabase === undefined ? source : source.replace(/^rows [^*!.]+\./, `rows ${sharedDatabase}.`);
  return checks.flatMap((check) => {
    const { absence, provenBy, source } = check;
    if (!absence || provenBy === undefined) return [];
    const twins = run.filter(({ id }) => id === provenBy || id.startsWith(`${provenBy}[`));
    const place = placeOf(source);
    const isThere = (seen: string): boolean => placeOf(seen) === place;
    if (twins.some(({ verdict, saw }) => verdict === 'passed' && saw.some(isThere))) return [];
    const text = whyNot(check, provenBy, twins);
    const [first] = twins.some(({ verdict }) => verdict === 'passed') ? [] : twins;
    const twin = first ? { twin: { id: provenBy, happened: happened[first.verdict] } } : {};
    return [{ kind: 'twin-saw-nothing', check: check.id, text, ...twin }];
  });
}

function whyNot({ id, source }: CheckRecord, provenBy: string, twins: readonly TwinCandidate[]): string {
  const [twin] = twins;
  if (!twin) return `\`${id}\` is proven by ${provenBy}, which was not performed in this run; select it too`;
  const passed = twins.find(({ verdict }) => verdict === 'passed');
  if (!passed) return `\`${id}\` is proven by ${provenBy}, which ${happened[twin.verdict]}`;
  const shown = passed.saw.filter((name) => isOrderSource(name) === isOrderSource(source));
  if (shown.length === 0) return `\`${id}\` is proven by ${provenBy}, which observed nothing`;
  const saw = shown.map((name) => `\`${name}\``).join(', ');
  return `\`${id}\` is proven by ${provenBy}, which saw ${saw}, but nothing in \`${source}\``;
}

const happened: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'is unknown itself',
  skipped: 'was skipped',
  'expected-failure': 'failed as expected',
  unstable: 'is unstable',
};
