/** Exposure: what the system showed and no check reads, so that it could have been wrong in a green run. */

import type { AttemptView } from '../../checks/attempt-view.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { type Mutant, valueAt } from '../../patterns/mutants/mutant.ts';
import { mutantsAbout } from '../../patterns/mutants/mutants-about.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { referencesIn } from '../../patterns/scope.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { type CheckUnderTest, exchangeSource } from './check-under-test.ts';
import { type RiskName, riskOf, weightOf } from './risk.ts';
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

/** `guards` are the places where no mutant survived some check, as `source path`. */
export function findExposures(
  view: AttemptView,
  checksUnderTest: readonly CheckUnderTest[],
  guards: ReadonlySet<string>,
  checks: number,
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
    const text = `\`${mutantPath(seen)}\` of ${seen.source} could have been ${mutant.what} instead of ${printValue(seen.value)}, and ${all(checks)} would still pass`;
    const { source, path, risk } = seen;
    exposures.set(place, { trial: id, file, line, source, path, risk, text, check: suggestCheck(seen) });
  }
  return { exposures: [...exposures.values()].sort(byWeight), counterfactual };
}

export function byWeight(a: Exposure, b: Exposure): number {
  return Number(b.lost !== undefined) - Number(a.lost !== undefined) || weightOf(b.risk) - weightOf(a.risk);
}

export function all(checks: number): string {
  return checks === 1 ? 'the one check' : `all ${checks} checks`;
}

export interface Observed extends SeenPlace {
  readonly source: string;
  readonly kind: string;
  readonly step?: string;
  readonly risk: RiskName;
}

function* observed(view: AttemptView, checksUnderTest: readonly CheckUnderTest[]): Generator<Observed> {
  const driven = new Map(view.record.steps.map(({ name, driver }) => [name, driver]));
  const referenced = referencedBy(view);
  for (const [step, { evidence }] of view.steps) {
    if (!isAnswered(driven.get(step))) continue;
    const own = testControlled(view, { kind: 'exchange', step, value: evidence });
    for (const place of walkPlaces(withoutCopies(evidence))) {
      const risk = rankOf(place, evidence, 'exchange');
      const isOurs = own.isOwn(place.keys) || own.isTautological(place.keys, place.value);
      if (risk && !isOurs && !isCarrier(place, evidence) && !isReferenced(step, place, referenced))
        yield { ...place, source: exchangeSource(step), kind: 'exchange', step, risk };
    }
  }
  for (const checkUnderTest of checksUnderTest) {
    const { source, kind, value, step } = checkUnderTest;
    if (step !== undefined || kind === 'value' || checkKind(kind)?.isClosed) continue;
    const own = testControlled(view, checkUnderTest);
    const { edge, sourceKey, change } = checkKind(kind) ?? {};
    for (const place of walkPlaces(value, 150)) {
      const risk = rankOf(place, value, kind);
      const isKnown = edge
        ? isAddress(place, value) || own.isOwn(place.keys)
        : change === 'file' && place.keys.at(-1) === sourceKey && source.endsWith(` ${place.value}`);
      if (risk && place.keys.length > 0 && !isKnown) yield { ...place, source, kind, risk };
    }
  }
}

/** Answers of a boundary of the system; actions on a service itself, and waits, return nothing that the system decides. */
function isAnswered(driver = 'flow'): boolean {
  return driver === 'flow' || stepKind(driver).toDriver !== undefined;
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
function worstMutant({ keys, value }: Observed): Mutant | undefined {
  const mutants = mutantsAbout(value, keys).filter(({ kind }) => kind === 'value' || kind === 'list');
  return (
    mutants.find((mutant) => mutant.value === 500) ??
    mutants.find((mutant) => mutant.value === 0) ??
    mutants[0]
  );
}
