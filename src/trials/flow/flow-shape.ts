/** The schema of a flow process's messages: it runs code that is not ours, and may send anything. */
import { problemCodes } from '../../kernel/problem-codes.ts';
import {
  amount,
  anything,
  byWord,
  either,
  flag,
  listOf,
  mapOf,
  oneOf,
  record,
  type Shape,
  text,
  whole,
} from '../../kernel/shape.ts';

const watched = record({ kind: text, raw: mapOf(anything) });
const place = record({ file: text, line: amount, column: amount });

const request = byWord('do', {
  act: record({
    kind: text,
    spec: mapOf(anything),
    settings: record({}, { as: text, within: text, mayFail: flag }),
  }),
  look: record({ watched }),
  until: record({ watched }, { within: text }),
  fetch: record({ method: text, url: text }),
});

const ask: Shape = (value, at) => record({ id: whole, line: amount })(value, at) ?? request(value, at);

const check = record(
  {
    id: text,
    line: amount,
    evidence: either(
      record({ watched }),
      record({ opaque: record({ held: flag }, { message: text }) }),
      record({}, { origin: either(record({ step: text }), record({ looked: watched, at: amount })) }),
    ),
  },
  { title: text, within: text, never: flag, throughout: flag, provenBy: text, only: listOf(text) },
);

const problem = record(
  {
    code: oneOf(...Object.keys(problemCodes)),
    where: either(text, place),
    what: text,
    allowed: text,
    next: text,
  },
  { evidence: listOf(text) },
);

/** What is wrong with it; undefined for a valid message. */
export const flowMessageFault: Shape = byWord('say', {
  flows: record({ flows: listOf(record({ hasBody: flag, line: amount, column: amount })) }),
  broken: record({ problem }),
  begins: record({ watches: listOf(text) }),
  asks: record({ asks: listOf(ask) }),
  check: record({ check }),
  ended: record({}, { failure: record({ message: text, isStep: flag }, { file: text, line: amount }) }),
});
