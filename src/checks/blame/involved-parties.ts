/** Which parties can be involved in a failure: those that a failed check looks at, and those connected with them. */
import { partyIn } from '../../kernel/edge-name.ts';
import { reachedFrom } from '../../kernel/reached-from.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { AttemptView } from '../attempt-view.ts';
import { logGateId } from '../judge-logs.ts';
import { processGateId } from '../judge-processes.ts';
import type { CheckRecord } from '../trial-record.ts';
import type { CheckVerdict } from '../verdict.ts';

export function involvedParties(view: AttemptView, verdicts: readonly CheckVerdict[]): ReadonlySet<string> {
  const everybody = allParties(view);
  const seeds = verdicts
    .filter(({ verdict }) => verdict === 'failed')
    .map((verdict) => subjectsOf(verdict, view));
  if (seeds.length === 0 || seeds.some((subjects) => subjects === undefined)) return everybody;
  const neighbours = neighboursIn(view);
  const named = seeds.flatMap((subjects) => subjects ?? []);
  return reachedFrom(named, (party) => neighbours.get(party) ?? []);
}

function allParties(view: AttemptView): ReadonlySet<string> {
  const { calls, topology, deaths, refusals, logErrors, record } = view;
  const ends = [
    ...calls.flatMap(({ call }) => [call.from, call.to]),
    ...(topology?.parties ?? []).map(({ name }) => name),
    ...deaths.map(({ name }) => name),
    ...refusals.map(({ to }) => to),
    ...logErrors.map(({ service }) => service),
    ...record.steps.flatMap(({ rung, to }) => [
      ...(rung ? [rung.party] : []),
      ...(to === undefined ? [] : [to]),
    ]),
  ];
  return new Set(ends.map(partyIn));
}

/** The parties that a check looks at; undefined if that may be any party. */
function subjectsOf({ id, evidence }: CheckVerdict, view: AttemptView): readonly string[] | undefined {
  if (id === processGateId) return view.deaths.map(({ name }) => name);
  if (id === logGateId)
    return view.logErrors.filter(({ seq }) => evidence.includes(seq)).map(({ service }) => service);
  const check = view.checks.find((one) => one.id === id);
  return check && namedIn(check);
}

function namedIn({ kind, query }: CheckRecord): readonly string[] | undefined {
  const names = checkKind(kind)?.parties?.(query) ?? [];
  const isPlain = names.length > 0 && names.every((name) => typeof name === 'string' && /^[a-z]/i.test(name));
  return isPlain ? (names as readonly string[]).map(partyIn) : undefined;
}

/** By calls and refused connections, in both directions: a request goes one way, and its answer the other. */
function neighboursIn({ calls, refusals, topology }: AttemptView): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbours = new Map<string, Set<string>>();
  const add = (one: string, other: string): void => {
    const known = neighbours.get(one) ?? new Set();
    neighbours.set(one, known.add(other));
  };
  const unseen = (topology?.edges ?? []).filter(
    ({ from, to }) => !calls.some(({ edge }) => edge === `${from} -> ${to}`),
  );
  for (const { from, to } of [...calls.map(({ call }) => call), ...refusals, ...unseen]) {
    add(from, partyIn(to));
    add(partyIn(to), from);
  }
  return neighbours;
}
