/** Records a check that a flow declares with its evidence, or starts the observation that it needs. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { fromOutside } from '../../journal/outside-text.ts';
import { defined } from '../../kernel/defined.ts';
import { isCopied } from '../perform/probe.ts';
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
  const expected = defined({ expect: literal(said.expect), count: literal(said.count) });
  journal.emit({ type: 'check.declared', check: { ...base(said), ...seen, ...expected } });
  return undefined;
}

function base({ id, line, title }: Declaration): Pick<CheckRecord, 'id' | 'line' | 'mode' | 'absence'> {
  return { ...defined({ id, title, line }), mode: 'quiet', absence: false };
}

function asWritten(
  performance: FlowPerformance,
  said: Declaration,
  watched: Parameters<typeof checkAsWritten>[1],
): CheckRecord {
  const { id, line, title, expect, count, within, never, throughout, provenBy, only } = said;
  const wanted = { [never ? 'never' : 'expect']: expect, count, within, throughout, provenBy, only };
  const keys = defined({ title, ...wanted });
  return checkAsWritten(id, watched, keys, performance.place(line), performance.known);
}
