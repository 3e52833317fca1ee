/** A check to paste: loaded, true on this attempt and on another one, false with the mutant, and proven to read the place. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { judgeCheck } from '../../checks/judge-check.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { Mutant } from '../../patterns/mutants/mutant.ts';
import { applyMutant } from '../../patterns/mutants/mutant.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { buildCheck } from '../../trials/read/build-check.ts';
import type { RawMap } from '../../trials/read/placed.ts';
import { type CheckUnderTest, underTest } from './check-under-test.ts';
import type { Observed } from './exposure.ts';
import { printCheck, printExpect } from './print-check.ts';
import { patternsFor } from './suggested-patterns.ts';
import { likePath } from './walk-places.ts';

export interface Suggesting {
  readonly view: AttemptView;
  /** The check that looked there, where it was not the answer of a step. */
  readonly looked?: CheckUnderTest;
  /** The same trial in an earlier run: what differs there is not asked for. */
  readonly other?: AttemptView;
  /** Names that the new check must not have; its own is added. */
  readonly taken: Set<string>;
  /** Whether a check reads this place, and turns red for it. */
  guards(check: CheckUnderTest): ReadonlySet<string>;
}

/** YAML, indented as below `checks:`, or TypeScript for a flow; empty where no check fulfils all of it. */
export function suggestCheck(seen: Observed, mutant: Mutant, suggesting: Suggesting): string {
  const { view, looked } = suggesting;
  const isFlow = view.record.kind === 'flow';
  const raw =
    seen.step === undefined ? lookedAt(seen.source, seen.keys, looked, view) : { exchange: seen.step };
  const named = checkName(seen.step ?? seen.source.split(' ').at(-1) ?? seen.kind, seen.keys);
  const id = freeName(named, suggesting.taken);
  for (const expect of patternsFor(seen, view, isFlow)) {
    const written = { ...raw, expect };
    const check = loaded(id, written, view);
    if (!check || !isGood(check, seen, mutant, suggesting)) continue;
    // A check cannot refer to a step without a name; the step itself can have an `expect`.
    if (seen.step?.startsWith('#') || (isFlow && seen.step !== undefined))
      return printExpect(expect, seen.step ?? '', isFlow);
    suggesting.taken.add(id);
    return printCheck(id, written, isFlow);
  }
  return '';
}

function isGood(
  check: CheckRecord,
  seen: Observed,
  mutant: Mutant,
  { view, looked, other, guards }: Suggesting,
): boolean {
  const shown = withSample(view, check, looked);
  const [tried] = underTest(check, shown);
  if (tried?.judge(tried.value) !== 'passed') return false;
  if (tried.judge(applyMutant(tried.value, mutant)) !== 'failed') return false;
  if (!guards(tried).has(likePath(seen.path))) return false;
  return other === undefined || judgeCheck(check, withSample(other, check, looked)).verdict === 'passed';
}

/** With what the check that looked there was shown, as if the new one had been shown it. */
function withSample(view: AttemptView, check: CheckRecord, looked: CheckUnderTest | undefined): AttemptView {
  const probe = looked && view.probes.get(looked.id);
  if (!probe) return view;
  return {
    ...view,
    performed: [...view.performed, check],
    probes: new Map(view.probes).set(check.id, probe),
  };
}

/** The same query as the check that looked there, with its conditions. */
function lookedAt(
  source: string,
  [, part]: readonly PathKey[],
  looked: CheckUnderTest | undefined,
  { checks }: AttemptView,
): RawMap {
  const [observer = '', named = '', ...rest] = source.split(' ');
  const { sourceKey, formOf } = checkKind(observer) ?? {};
  const query = checks.find(({ id }) => id === looked?.id)?.query ?? {};
  // That of a plugin is as it was written.
  if (Object.hasOwn(query, observer)) return query;
  const { service: _service, table: _table, from: _from, to: _to, folder: _folder, ...conditions } = query;
  const form = typeof part === 'string' ? formOf?.(part) : undefined;
  const whole = sourceKey === undefined ? [named, ...rest].join(' ') : named;
  const key = sourceKey === undefined || rest.length === 0 ? {} : { [sourceKey]: rest.join(' ') };
  return { [observer]: whole, ...key, ...(form === undefined ? {} : { as: form }), ...conditions };
}

/** A step without a name is loaded under one. */
function loaded(id: string, raw: RawMap, view: AttemptView): CheckRecord | undefined {
  const named =
    typeof raw.exchange === 'string' ? { ...raw, exchange: raw.exchange.replace(/^#/, 'step-') } : raw;
  const { check } = buildCheck(id, placed(named, view));
  return check && raw.exchange !== undefined ? { ...check, query: { exchange: raw.exchange } } : check;
}

/** Every position is that of the trial. */
function placed(value: RawMap, { record: { file, line } }: AttemptView): Parameters<typeof buildCheck>[1] {
  const here = { file, line, column: 1 };
  const source = {
    file,
    text: '',
    keyPosition: () => here,
    keyLine: () => line,
    valuePosition: () => here,
    partPosition: () => here,
    knows: () => false,
    written: () => undefined,
  };
  return { value, source, path: [] };
}

/** For a call on an edge that no check reads. */
export function suggestCall(
  edge: string,
  asked: { readonly method: string; readonly tool: string | undefined; readonly count: number },
  taken: Set<string>,
  isFlow: boolean,
): string {
  const { method, tool, count } = asked;
  const where = tool === undefined ? { method } : { params: { name: tool } };
  const id = freeName(checkName(edge.replace(' -> ', '-asks-'), [tool ?? '']), taken);
  taken.add(id);
  return printCheck(id, { calls: edge, where, count }, isFlow);
}

function checkName(base: string, keys: readonly PathKey[]): string {
  const words = [base, ...keys.filter((key) => typeof key === 'string').slice(-1)];
  const name = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(name) ? name : `check-${name}`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let round = 2; taken.has(free); round += 1) free = `${name}-${round}`;
  return free;
}
