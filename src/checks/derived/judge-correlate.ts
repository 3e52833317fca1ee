/** `correlate`: one id is found in every place through which it must have passed. */

import type { CallEvent } from '../../journal/call-event.ts';
import { outside } from '../../journal/topology.ts';
import { type AnyNumber, isAnyNumber, isContainer } from '../../kernel/exact-json.ts';
import { isNotKept } from '../../kernel/not-kept.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { resolveInScope } from '../../patterns/scope.ts';
import type { AttemptView } from '../attempt-view.ts';
import { type CorrelatePart, type CorrelateQuery, partName } from '../derived-queries.ts';
import type { CheckRecord } from '../trial-record.ts';
import { type Finding, unknown } from './finding.ts';
import { matchingCalls } from './matching-calls.ts';

export function judgeCorrelate(check: CheckRecord, query: CorrelateQuery, view: AttemptView): Finding {
  const { value: id, missing } = resolveInScope(query.id, view.scope);
  const expected = `${printValue(id, 80)} in ${query.parts.map(formatPart).join(', ')}`;
  if (missing.length > 0) return unknown(expected, `\${${missing[0]}} has no value`);
  if (!isId(id)) return unknown(expected, `${printValue(id, 80)} is not an id: expected a text or a number`);
  if (isEverywhere(id) && query.parts.some(({ column }) => column === undefined))
    return unknown(
      expected,
      `${printValue(id, 80)} is so short that it may be found by chance: name the \`column\` of rows, or correlate a longer id`,
    );
  if (!wasPerformedSo(check, view))
    return unknown(expected, 'the check looked at something else in that run; perform the trial again');
  const places = query.parts.map((part, index) => ({
    part,
    ...placeOf(part, partName(check.id, index + 1), view),
  }));
  const evidence = places.flatMap(({ seqs }) => seqs);
  const unobservable = places.find(({ unseen }) => unseen !== undefined);
  if (unobservable)
    return unknown(expected, `${formatPart(unobservable.part)}: ${unobservable.unseen}`, evidence);
  const lacking = places.filter(({ part, values }) => !values.some((value) => correlates(id, part, value)));
  const [first] = lacking;
  if (!first) return { verdict: 'passed', expected, observed: 'it is in all of them', evidence };
  const where = lacking.map(({ part }) => formatPart(part)).join(', ');
  return {
    verdict: 'failed',
    expected,
    observed: `it is not in ${where}`,
    explanation: lacking
      .map(
        ({ part, values }) =>
          `${formatPart(part)} contains ${printValue(values.length === 1 ? values[0] : values, 200)}`,
      )
      .join('\n'),
    evidence,
  };
}

/** Whether a place shows the id: as a value of its own, or as a word of a text. Also used to wait until it does. */
export function correlates(
  id: string | AnyNumber,
  { column }: Pick<CorrelatePart, 'column'>,
  value: unknown,
): boolean {
  let left = mostVisited;
  const visit = (inner: unknown, key: string): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof inner === 'string' || isAnyNumber(inner))
      return (column === undefined || key === column) && isIn(id, inner);
    if (!isContainer(inner)) return false;
    const inList = Array.isArray(inner);
    return Object.entries(inner).some(([name, below]) => visit(below, inList || key === column ? key : name));
  };
  return visit(value, '');
}

const mostVisited = 200_000;

/** A small number, or one or two letters, occurs in nearly every call and line. */
function isEverywhere(id: string | AnyNumber): boolean {
  return /^\d{1,3}$/.test(String(id)) || String(id).length < 3;
}

function isIn(id: string | AnyNumber, seen: string | AnyNumber): boolean {
  const word = String(id);
  if (typeof seen !== 'string') return String(seen) === word;
  for (let at = seen.indexOf(word); at >= 0; at = seen.indexOf(word, at + 1)) {
    const around = [seen[at - 1], seen[at + word.length]];
    if (around.every((letter) => letter === undefined || !/[\p{L}\p{N}]/u.test(letter))) return true;
  }
  return false;
}

interface Place {
  readonly values: readonly unknown[];
  readonly seqs: readonly number[];
  /** Why it was not observed. */
  readonly unseen?: string;
}

/** The content of the messages; our own numbers and times say nothing about an id, and neither does what the trial sent itself. */
function said({ from, path, params, result, error, request, response }: CallEvent): unknown {
  const { bytes: _sent, ...asked } = request;
  const { bytes: _got, status: _status, ...answered } = response ?? { bytes: 0, status: 0, headers: {} };
  return [result, error, answered, ...(from === outside ? [] : [path, params, asked])];
}

/** What a step was answered, or each of a burst. */
function answersOf(evidence: unknown): unknown {
  if (!isPlainMap(evidence)) return evidence;
  const { request: _sent, answers, ...rest } = evidence;
  return Array.isArray(answers) ? { ...rest, answers: answers.map(answersOf) } : rest;
}

function placeOf({ kind, query }: CorrelatePart, name: string, view: AttemptView): Place {
  if (kind === 'exchange') {
    const step = view.steps.get(String(query.exchange));
    if (!step) return { values: [], seqs: [], unseen: 'the step was not done' };
    return seen([answersOf(step.evidence)], [step.seq]);
  }
  if (checkKind(kind)?.edge) {
    const { calls, undecided } = matchingCalls(query, view);
    const place = { values: calls.map(({ call }) => said(call)), seqs: calls.map(({ seq }) => seq) };
    return undecided === undefined ? place : { ...place, unseen: undecided };
  }
  const samples = view.probes.get(name)?.samples ?? [];
  const looks = samples.flatMap((sample) => (sample.type === 'probe.sampled' ? [sample] : []));
  if (looks.length > 0)
    return seen(
      looks.map(({ value }) => value),
      looks.map(({ seq }) => seq),
    );
  const unobservable = samples.find((sample) => sample.type === 'probe.blind');
  return {
    values: [],
    seqs: samples.map(({ seq }) => seq),
    unseen: unobservable?.type === 'probe.blind' ? unobservable.because : 'it was never sampled',
  };
}

function seen(values: readonly unknown[], seqs: readonly number[]): Place {
  const isLost = values.some(isNotKept);
  return { values, seqs, ...(isLost ? { unseen: 'the observation was too large for the journal' } : {}) };
}

function wasPerformedSo(check: CheckRecord, view: AttemptView): boolean {
  const then = view.performed.find(({ id }) => id === check.id);
  return then === undefined || JSON.stringify(then.query) === JSON.stringify(check.query);
}

function formatPart({ kind, query, column }: CorrelatePart): string {
  const source = checkKind(kind)?.source(query) ?? kind;
  return column === undefined ? source : `${source}, column ${column}`;
}

function isId(value: unknown): value is string | AnyNumber {
  return (typeof value === 'string' && value !== '') || isAnyNumber(value);
}
