/** The rule that lets replies of Redis pass with other values in the JSON that they hold. */
import { wrongJson } from '../exchanges/wrong-value.ts';
import type { Gate, Rule } from './rule.ts';

export interface Wrong {
  readonly rule: 'wrong';
}

export function wrongRule(): Rule {
  return {
    kind: 'wrong',
    listens: true,
    gate: ({ direction, felt }) => (direction === 'received' ? wrongGate(felt) : undefined),
  };
}

function wrongGate(felt: ((what: string) => void) | undefined): Gate {
  let isFelt = false;
  return {
    decide: (front) => (front === undefined ? { then: 'wait' } : { then: 'pass', bytes: front.length }),
    alter: (bytes) => {
      const wrong = wrongReplies(bytes);
      if (wrong === undefined) return bytes;
      if (!isFelt) felt?.('other values in what was read');
      isFelt = true;
      return wrong;
    },
  };
}

/** Each bulk string that is there as a whole and is JSON gets other values, and its own length. Undefined if there is none. */
function wrongReplies(bytes: Buffer): Buffer | undefined {
  const text = bytes.toString('latin1');
  const parts: Buffer[] = [];
  let from = 0;
  for (const { 0: head, 1: length, index } of text.matchAll(/\$(\d{1,9})\r\n(?=[[{])/g)) {
    const begin = index + head.length;
    const end = begin + Number(length);
    const isWhole = index >= from && text.startsWith('\r\n', end);
    const wrong = isWhole ? wrongJson(bytes.toString('utf8', begin, end)) : undefined;
    if (wrong === undefined) continue;
    parts.push(bytes.subarray(from, index), Buffer.from(`$${Buffer.byteLength(wrong)}\r\n${wrong}`));
    from = end;
  }
  return parts.length === 0 ? undefined : Buffer.concat([...parts, bytes.subarray(from)]);
}
