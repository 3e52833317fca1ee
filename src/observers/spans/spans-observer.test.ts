import { afterEach, beforeEach, expect, test } from 'vitest';
import { givenUp, makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import type { SpanEvidence } from '../../journal/peer-event.ts';
import { spansCheck } from '../../kinds/spans/check.ts';
import { telemetryLimits } from '../../resources/telemetry/telemetry-limits.ts';
import { type SpansQuery, spansObserver } from './spans-observer.ts';

let setup: ObserverSetup;
let spans: SpanEvidence[];

beforeEach(() => {
  setup = makeObserverSetup();
  spans = [];
});
afterEach(() => setup.clear());

const look = async (query: SpansQuery): Promise<unknown> => {
  const watch = await spansObserver.open({ ...setup.context, spans: () => spans });
  return watch.look(query);
};

function span(name: string, more: Partial<SpanEvidence> = {}): SpanEvidence {
  return {
    service: 'gateway',
    name,
    kind: 'server',
    traceId: 't1',
    spanId: 's1',
    parentSpanId: null,
    attributes: {},
    events: [],
    status: { code: 'unset' },
    durationMs: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

const names = async (query: SpansQuery): Promise<string[]> =>
  ((await look(query)) as SpanEvidence[]).map(({ name }) => name);

test('spans are seen in the order in which they came, by service, name and condition', async () => {
  spans.push(
    span('POST /chat', { startedAt: '2026-01-02T00:00:00.000Z', attributes: { 'http.status_code': 200 } }),
    span('tool read_file', { service: 'agent', parentSpanId: 's1' }),
    span('POST /chat/stream'),
  );
  expect(await look({})).toEqual(spans);
  expect(await names({ service: 'agent' })).toEqual(['tool read_file']);
  expect(await names({ where: { attributes: { 'http.status_code': { $gte: 200 } } } })).toEqual([
    'POST /chat',
  ]);
  expect(await names({ service: 'nobody' })).toEqual([]);
});

test.each([
  ['POST /chat', ['POST /chat']],
  ['POST *', ['POST /chat', 'POST /chat/stream']],
  ['*/chat', ['POST /chat']],
  ['*chat*', ['POST /chat', 'POST /chat/stream']],
  ['*', ['POST /chat', 'POST /chat/stream', 'tool']],
  ['P*/*/stream', ['POST /chat/stream']],
  ['tool*tool', []],
  ['chat', []],
])('name: %s', async (name, found) => {
  spans.push(span('POST /chat'), span('POST /chat/stream'), span('tool'));
  expect(await names({ name })).toEqual(found);
});

test('the source names what is looked at', () => {
  expect(spansCheck.source({})).toBe('spans');
  expect(spansCheck.source({ service: 'gateway', name: 'POST *', where: {} })).toBe('spans gateway POST *');
});

test('what cannot be known is not treated as absent', async () => {
  const { spans: _nobodyReceives, ...context } = setup.context;
  const watch = await spansObserver.open(context);
  await expect(watch.look({})).rejects.toMatchObject({
    retryable: false,
    message: expect.stringContaining('telemetry'),
  });
  await expect(look({ where: { tracId: 'x' } })).rejects.toMatchObject({
    retryable: false,
    message: '`where`: a span has no key tracId; did you mean traceId?',
  });
  spans = Array(telemetryLimits.spans + 1).fill(span('many'));
  await expect(look({})).rejects.toMatchObject({
    retryable: false,
    message: expect.stringContaining('more than 10000'),
  });
});

test('a span that was not kept whole decides what can be decided', async () => {
  spans.push(span('large', { cut: true, attributes: { a: 1 } }), span('small'));
  for (const where of [
    { attributes: { a: 2 } },
    { attributes: { b: { $absent: true } } },
    { $not: { events: [{ name: 'x' }] } },
    { attributes: { a: { $absent: true } }, status: { code: 'unset' } },
  ])
    await expect(look({ where }), JSON.stringify(where)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringMatching(
        /^span large was too large to be kept whole, so that (?:attributes|events) cannot be compared$/,
      ),
    });
  expect(await names({ where: { attributes: { a: 1 } } })).toEqual(['large']);
  expect(await names({ where: { attributes: { a: 2 }, kind: 'client' } })).toEqual([]);
  expect(await names({ where: { status: { code: 'error' } } })).toEqual([]);
  expect(await names({ name: 'small', where: { attributes: { a: 2 } } })).toEqual([]);
  expect(await names({})).toEqual(['large', 'small']);
});

test('a look ends with the attempt', async () => {
  setup.abort();
  await expect(look({})).rejects.toBe(givenUp);
});
