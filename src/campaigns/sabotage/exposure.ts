/** Exposure: what the system showed and no check reads, so that it could have been wrong in a green run. */

import type { AttemptView } from '../../checks/attempt-view.ts';
import { defined } from '../../kernel/defined.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepKeyIn, stepKind } from '../../kinds/step-kinds.ts';
import { type Mutant, valueAt } from '../../patterns/mutants/mutant.ts';
import { mutantsAbout } from '../../patterns/mutants/mutants-about.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { referencesIn } from '../../patterns/scope.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { type CheckUnderTest, exchangeSource } from './check-under-test.ts';
import { isPossible } from './mutants-for.ts';
import { type RiskName, riskOf, weightOf, withoutMadeParts } from './risk.ts';
import { suggestCheck } from './suggest-check.ts';
import { testControlled } from './test-controlled.ts';
import { mutantPath } from './vitality.ts';
import { likePath, type SeenPlace, walkPlaces } from './walk-places.ts';

export interface Exposure {
  readonly trial: string;
  readonly file: string;
  /** Where a check belongs: after this line. */
  readonly line: number;
  readonly source: string;
  /** What was asked, without ids: the same in every trial that asks for it. */
  readonly endpoint: string;
  readonly path: string;
  readonly risk: RiskName;
  /** One sentence: `the balance could have been 0 …`. */
  readonly text: string;
  /** YAML to paste below `checks:`. */
  readonly check: string;
  /** The check that used to read it, and is gone. */
  readonly lost?: string;
}

/** A place that would have changed what was done next: its effect cannot be decided offline. */
export interface Counterfactual {
  readonly trial: string;
  readonly step: string;
  readonly path: string;
}

export interface Exposing {
  /** Places where no mutant survived some check, as `source path`. */
  readonly guards: ReadonlySet<string>;
  readonly checks: number;
  /** Names of checks of the trial, and of those that were suggested. */
  readonly taken: Set<string>;
  readonly other?: AttemptView;
  /** The places that a check guards. */
  guardsOf(check: CheckUnderTest): ReadonlySet<string>;
}

export function findExposures(
  view: AttemptView,
  checksUnderTest: readonly CheckUnderTest[],
  { guards, checks, taken, ...suggesting }: Exposing,
) {
  const { id, file } = view.record;
  const line = Math.max(view.record.line, ...view.checks.map((check) => check.line));
  const fed = new Set(view.record.steps.flatMap(({ uses = [] }) => uses));
  const exposures = new Map<string, Exposure>();
  const counterfactual: Counterfactual[] = [];
  for (const seen of observed(view, checksUnderTest)) {
    const place = `${seen.source} ${likePath(seen.path)}`;
    if (seen.step !== undefined && isReferenced(seen.step, seen, fed)) {
      counterfactual.push({ trial: id, step: seen.step, path: seen.path });
      continue;
    }
    if (guards.has(place) || exposures.has(place)) continue;
    const mutant = worstMutant(seen);
    if (!mutant) continue;
    const text = `\`${mutantPath(seen)}\` of ${seen.source} could have been ${mutant.what} instead of ${printValue(seen.value)}, and ${stillPass(checks, view)}`;
    const { source, path, risk } = seen;
    const { other, guardsOf } = suggesting;
    const looked = checksUnderTest.find((one) => one.id === seen.check);
    const check = suggestCheck(seen, mutant, {
      view,
      taken,
      guards: guardsOf,
      ...defined({ looked, other }),
    });
    const endpoint = endpointOf(view, seen);
    exposures.set(place, { trial: id, file, line, source, endpoint, path, risk, text, check });
  }
  return { exposures: [...exposures.values()].sort(byWeight), counterfactual };
}

/** `POST shop/orders`, `tools quote`; what is not the answer of a step has its source. */
function endpointOf({ events }: AttemptView, { step, source }: Observed): string {
  const sent = events.find((event) => event.type === 'step.started' && event.step === step);
  const asked = sent?.type === 'step.started' ? sent.sent : undefined;
  if (step === undefined || !isPlainMap(asked)) return source;
  const { tool = '' } = asked;
  const named = asked[stepKeyIn(asked) ?? ''];
  return `${typeof named === 'string' ? withoutMadeParts(named) : JSON.stringify(named)} ${String(tool)}`.trim();
}

export function byWeight(a: Exposure, b: Exposure): number {
  return Number(b.lost !== undefined) - Number(a.lost !== undefined) || weightOf(b.risk) - weightOf(a.risk);
}

/** What code reads is not known. */
function stillPass(checks: number, { checks: records }: Pick<AttemptView, 'checks'>): string {
  const byCode = records.filter(({ opaque, kind }) => opaque !== undefined || kind === 'value').length;
  const others = checks - byCode;
  if (byCode === 0) return `${all(checks)} would still pass`;
  const decided = `code decides ${byCode === 1 ? 'one more' : `${byCode} more`}`;
  return others === 0
    ? `only code could notice: ${decided}`
    : `${all(others)} on data would still pass; ${decided}`;
}

export function all(checks: number): string {
  return checks === 1 ? 'the one check' : `all ${checks} checks`;
}

export interface Observed extends SeenPlace {
  readonly source: string;
  readonly kind: string;
  readonly step?: string;
  /** The check that looked there, where it was not the answer of a step. */
  readonly check?: string;
  /** All that was observed. */
  readonly whole: unknown;
  readonly risk: RiskName;
}

function* observed(view: AttemptView, checksUnderTest: readonly CheckUnderTest[]): Generator<Observed> {
  const driven = new Map([
    ...view.events.flatMap((event) =>
      event.type === 'step.started' ? [[event.step, event.action] as const] : [],
    ),
    ...view.record.steps.map(({ name, driver }) => [name, driver] as const),
  ]);
  const referenced = referencedBy(view);
  for (const [step, { evidence }] of view.steps) {
    if (!isAnswered(view, driven.get(step))) continue;
    const own = testControlled(view, { kind: 'exchange', step, value: evidence });
    for (const place of walkPlaces(withoutCopies(evidence))) {
      const risk = rankOf(place, evidence, 'exchange');
      const isOurs = own.isOwn(place.keys) || own.isRepeated(place.keys, place.value);
      if (risk && !isOurs && !isCarrier(place, evidence) && !isReferenced(step, place, referenced))
        yield { ...place, source: exchangeSource(step), kind: 'exchange', step, risk, whole: evidence };
    }
  }
  for (const checkUnderTest of checksUnderTest) {
    const { id, source, kind, value, step } = checkUnderTest;
    if (step !== undefined || kind === 'value' || checkKind(kind)?.isClosed) continue;
    const own = testControlled(view, checkUnderTest);
    const { edge, sourceKey, change } = checkKind(kind) ?? {};
    for (const place of walkPlaces(value, 150)) {
      const risk = rankOf(place, value, kind);
      const isKnown = edge
        ? isAddress(place, value) || own.isOwn(place.keys)
        : (change === 'file' || change === 'key') &&
          place.keys.at(-1) === sourceKey &&
          source.endsWith(` ${place.value}`);
      if (risk && place.keys.length > 0 && !isKnown)
        yield { ...place, source, kind, risk, check: id, whole: value };
    }
  }
}

/** Answers of a boundary of the system; actions on a service itself, and waits, return nothing that the system decides. */
function isAnswered(view: Pick<AttemptView, 'record'>, driver = ''): boolean {
  const { toDriver, onlyWaits } = stepKind(driver);
  return toDriver !== undefined || (view.record.kind === 'flow' && !onlyWaits);
}

/** A number that only says how many elements the list beside it has is worth as much as the length of that list. */
function rankOf({ keys, value }: SeenPlace, seen: unknown, kind: string): RiskName | undefined {
  const risk = riskOf(keys, value, kind);
  if (risk !== 'amount') return risk;
  const beside = Object.values(valueAt(seen, keys.slice(0, -1)) ?? {});
  return beside.some((one) => Array.isArray(one) && one.length === value) ? 'count' : risk;
}

/** Transport details and handshake of another protocol: the content is read from its messages. */
function isCarrier({ keys }: SeenPlace, evidence: unknown): boolean {
  const isTool = (message: unknown) => isPlainMap(message) && Object.hasOwn(message, 'isError');
  const about = keys.findIndex((key) => key === 'status' || key === 'protocolVersion' || key === 'server');
  return about >= 0 && isTool(valueAt(evidence, keys.slice(0, about)));
}

/** MCP returns the result of a tool twice. */
function withoutCopies(evidence: unknown): unknown {
  if (typeof evidence !== 'object' || evidence === null || !Object.hasOwn(evidence, 'result'))
    return evidence;
  const { content: _copy, ...rest } = evidence as Record<string, unknown>;
  return rest;
}

/** Caller and provider of a call were queried for; its status is shown twice, and a model's answer also as a turn. */
function isAddress({ keys: [index, part, inner] }: SeenPlace, calls: unknown): boolean {
  const call = callAt(calls, index);
  const isMessage = call?.protocol === 'json-rpc';
  return (
    ['from', 'to', 'protocol', 'method', 'path'].includes(String(part)) ||
    (part === 'response' && (inner === 'status' || isMessage || call?.turn !== undefined)) ||
    (isMessage && (part === 'status' || part === 'request'))
  );
}

function callAt(
  calls: unknown,
  index: PathKey | undefined,
): { readonly protocol?: unknown; readonly turn?: unknown } | undefined {
  return Array.isArray(calls) ? calls[Number(index)] : undefined;
}

function referencedBy({ checks }: AttemptView): ReadonlySet<string> {
  return new Set(
    checks.flatMap(({ expect, count, query }) =>
      referencesIn([expect, count, query]).map(({ reference }) => reference),
    ),
  );
}

/** Whether one of the references leads to this place of an answer, to a part of it, or to what contains it. */
function isReferenced(step: string, { keys }: SeenPlace, references: ReadonlySet<string>): boolean {
  const place = [step, ...keys].join('.');
  return [...references].some(
    (reference) =>
      place === reference || place.startsWith(`${reference}.`) || reference.startsWith(`${place}.`),
  );
}

/** The mutant that best shows what could go wrong. */
function worstMutant({ keys, value, kind: observer }: Observed): Mutant | undefined {
  const mutants = mutantsAbout(value, keys).filter(
    (mutant) => (mutant.kind === 'value' || mutant.kind === 'list') && isPossible(mutant, observer),
  );
  return (
    mutants.find((mutant) => mutant.value === 500) ??
    mutants.find((mutant) => mutant.value === 0) ??
    mutants[0]
  );
}
