/** The shape of each request on the keeper's socket: an invalid one is answered with an error, and nothing is done. */
import { limits } from '../../kernel/limits.ts';
import {
  amount,
  anything,
  byWord,
  either,
  flag,
  isDeeperThan,
  listOf,
  mapOf,
  nothing,
  oneOf,
  positive,
  record,
  type Shape,
  text,
  whole,
} from '../../kernel/shape.ts';
import { serviceActions } from '../renewal/service-actions.ts';
import type { ClientMessage, RequestName } from './messages.ts';

const empty = record({});
const edge = { from: text, to: text };
const direction = oneOf('sent', 'received', 'both');
const cutBy = oneOf('fin', 'reset');
const place = either(
  record({ head: oneOf(true) }),
  record({ byte: amount }),
  record({ event: either(whole, oneOf('finish')) }),
  record({ inside: text }),
  record({ argumentDelta: whole }),
  record({ textDelta: whole }),
);

const fault = byWord('do', {
  delay: record({ of: oneOf('request', 'response', 'event'), ms: amount }, { jitterMs: amount }),
  cut: record({ at: place, by: cutBy }),
  hold: record({ at: place }, { ms: amount }),
  answer: record(
    { status: whole },
    {
      headers: mapOf(text),
      text,
      events: listOf(record({}, { event: text, id: text })),
      keepsId: flag,
      forward: flag,
    },
  ),
  duplicate: byWord('what', { request: empty, event: record({ event: whole }) }),
  drop: record({ event: whole }),
  reorder: record({ events: listOf(whole) }),
  shape: record({ shape: text }),
  wrong: empty,
});

const rule = byWord('rule', {
  pass: empty,
  refuse: record({}, { existing: oneOf('keep', 'reset') }),
  deny: empty,
  cut: record({ direction, by: cutBy }, { afterBytes: amount }),
  delay: record({ ms: amount }, { jitterMs: amount, direction }),
  hold: record({}, { direction }),
  garble: empty,
  wrong: empty,
});

const message = record({ headers: mapOf(text), bytes: amount });
const call = record(
  {
    ...edge,
    type: oneOf('call'),
    crossing: whole,
    connection: whole,
    protocol: oneOf('http', 'json-rpc'),
    method: text,
    path: text,
    request: message,
    startedAt: amount,
    endedAt: amount,
  },
  {
    response: record({ headers: mapOf(text), bytes: amount, status: whole }),
    faults: listOf(record({ by: oneOf('consumer', 'provider'), rule: text, what: text })),
    incomplete: oneOf('cut', 'too-large', 'not-http', 'unanswered', 'cancelled', 'in-flight'),
  },
);

const shapes: Readonly<Record<RequestName, Shape>> = {
  ping: empty,
  subscribe: record({ as: text }),
  status: empty,
  down: record({ because: text }, { forceStop: flag }),
  facts: empty,
  quiet: record({ settleMs: amount, withinMs: amount }, { unusedMs: amount, since: amount }),
  traffic: empty,
  service: record({ name: text, do: oneOf(...serviceActions) }),
  inside: record(
    { service: text, argv: listOf(text), env: mapOf(text), withinMs: amount, mostBytes: amount },
    { cwd: text, stdin: text },
  ),
  renew: record({ level: oneOf('restart', 'fresh') }),
  peersBegin: record({
    trial: text,
    attempt: whole,
    seed: text,
    scripts: mapOf(anything),
    budgets: mapOf(record({}, { usd: amount, tokens: amount })),
  }),
  peersLearn: record({ step: text, values: mapOf(anything) }, { beside: mapOf(listOf(text)) }),
  peersSettle: record({ isWhole: flag }),
  disturbExchanges: record({
    ...edge,
    rules: listOf(
      record(
        { name: text, fault },
        {
          crossing: either(whole, listOf(whole)),
          where: record({}, { method: text, path: text, rpc: text }),
        },
      ),
    ),
  }),
  stdioCall: record({ call }),
  stdioAsked: record({ ...edge, method: text }),
  stdioMet: record({ ...edge, order: record({ rule: text, shape: text, seed: text }), isFit: flag }),
  disturb: record({ ...edge, rule }),
  resolve: record({ texts: listOf(text) }),
  commandStarted: record(
    { argv: listOf(text), process: record({ pid: positive, startedAt: text }) },
    { files: listOf(text) },
  ),
  commandEnded: record({ pid: positive, code: either(whole, nothing), signal: either(text, nothing) }),
};

const request = record({ id: whole, request: oneOf(...Object.keys(shapes)), params: mapOf(anything) });

/** What is wrong with a message; undefined when it is a valid request. */
export function requestFault(sent: unknown): string | undefined {
  if (isDeeperThan(sent, limits.requestDepth)) return `it has more than ${limits.requestDepth} levels`;
  const fault = request(sent, 'the message');
  if (fault !== undefined) return fault;
  const { request: name, params } = sent as ClientMessage;
  return shapes[name](params, 'params');
}
