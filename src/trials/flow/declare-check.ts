/** Records a check that a flow declares with its evidence, or starts the observation that it needs. */

import type { CheckRecord } from '../../checks/trial-record.ts';
import { fromOutside } from '../../journal/outside-text.ts';
import { isCopied } from '../perform/probe.ts';
import type { RawMap } from '../read/placed.ts';
import { checkAsWritten, literal } from './as-written.ts';
import type { Declaration } from './flow-message.ts';
import type { FlowPerformance } from './flow-performance.ts';

/** The check, when it is still to be sampled; undefined when the journal holds all that it needs. */
export function declareCheck(performance: FlowPerformance, said: Declaration): CheckRecord | undefined {
  const { journal } = performance.attempt;
  const { evidence } = said;
  if ('opaque' in evidence) {
    const fixed = { kind: 'code', source: 'the code of the flow', query: {}, opaque: evidence.opaque };
    journal.emit({ type: 'check.declared', check: { ...base(said), ...fixed } });
    return undefined;
  }
  if ('watched' in evidence) {
    const check = asWritten(performance, said, evidence.watched);
    journal.emit({ type: 'check.declared', check });
    return check;
  }
  const { origin, value } = evidence;
  if (origin && 'looked' in origin) {
    // The same check as if the flow had not looked itself; its only sample is already taken.
    journal.emit({ type: 'check.declared', check: asWritten(performance, said, origin.looked) });
    const { at, looked } = origin;
    const sample = isCopied(looked.kind) ? value : fromOutside(value);
    journal.emit({ type: 'probe.sampled', probe: said.id, value: sample, from: at, to: at, samples: 1 });
    journal.emit({ type: 'probe.ended', probe: said.id, end: 'quiet' });
    return undefined;
  }
  const seen = origin
    ? { kind: 'exchange', source: `exchange ${origin.step}`, query: { exchange: origin.step } }
    : { kind: 'value', source: 'a value of the flow', query: { value } };
  journal.emit({ type: 'check.declared', check: { ...base(said), ...seen, ...expectationOf(said) } });
  return undefined;
}

function base({ id, line, title }: Declaration): Pick<CheckRecord, 'id' | 'line' | 'mode' | 'absence'> {
  return { id, ...(title === undefined ? {} : { title }), line, mode: 'quiet', absence: false };
}

function expectationOf({ expect, count }: Declaration): Pick<CheckRecord, 'expect' | 'count'> {
  return {
    ...(expect === undefined ? {} : { expect: literal(expect) }),
    ...(count === undefined ? {} : { count: literal(count) }),
  };
}

function asWritten(
  performance: FlowPerformance,
  said: Declaration,
  watched: Parameters<typeof checkAsWritten>[1],
): CheckRecord {
  const { id, line, title, expect, count, within, never, throughout, provenBy, only } = said;
  const keys: RawMap = {
    title,
    [never ? 'never' : 'expect']: expect,
    count,
    within,
    throughout,
    provenBy,
    only,
  };
  const given = Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
  return checkAsWritten(id, watched, given, performance.place(line), performance.known);
}
