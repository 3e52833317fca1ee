/** Evidence of many trials as a shop would leave it: every twentieth failed, and no two bodies are alike. */
import type { CallEvent } from '../../src/journal/call-event.ts';
import type { AttemptEventBody } from '../../src/journal/trial-event.ts';
import { createRandom, type Random } from '../../src/kernel/random.ts';
import type { ReportedTrial } from '../../src/report/page/embedded-report.ts';
import { answered, asked, attemptJournal, call, chain, sampled } from '../../test/harness/attempt-journal.ts';
import type { ReportContent } from '../../test/harness/embed-report.ts';
import { attemptOf, failedTrial, reportContent, trialVerdict } from '../../test/harness/report-content.ts';

const areas = ['orders', 'payments', 'agents', 'search', 'stock'];
const edges = [
  'outside -> agent',
  'agent -> gateway',
  'gateway -> model',
  'agent -> files',
  'gateway -> bank',
];
const oneFailsOf = 20;

export function syntheticReport(trials: number, exchangesOfEach: number): ReportContent {
  const random = createRandom('report');
  const names = Array.from({ length: trials }, (_, index) => `${areas[index % areas.length]}/${index}`);
  const isFailed = (index: number): boolean => index % oneFailsOf === 0;
  const verdicts = names.map((id, index) => {
    const named = { id, file: `trials/${id}.trial.yaml`, durationMs: random.integer(20, 4_000) };
    return isFailed(index) ? { ...failedTrial, ...named } : trialVerdict(id, named);
  });
  const evidence = names.map((id, index): ReportedTrial => {
    const attempt = () => attemptOf(eventsOf(random, exchangesOfEach), { folder: `trials/${id}` });
    return { id, attempts: [attempt()], ...(isFailed(index) ? { reference: attempt() } : {}) };
  });
  return reportContent(verdicts, evidence);
}

function eventsOf(random: Random, exchanges: number) {
  const calls = Array.from({ length: exchanges }, (_, index): CallEvent => {
    const startedAt = index * 20;
    return call(edges[index % edges.length] ?? '', [startedAt, startedAt + random.integer(1, 40)], {
      path: `/v1/orders/${random.hex(6)}`,
      request: asked(orderOf(random)),
      response: answered(200, { ...orderOf(random), state: random.pick(['open', 'paid', 'sent']) }),
    });
  });
  const events: readonly AttemptEventBody[] = [...calls, sampled('refunded', [orderOf(random)])];
  return attemptJournal({ topology: chain, events });
}

function orderOf(random: Random): object {
  const lines = Array.from({ length: 3 }, () => ({
    article: random.hex(8),
    quantity: random.integer(1, 9),
    cents: random.integer(100, 90_000),
  }));
  return { order: random.hex(16), customer: `customer ${random.integer(1, 9_999)}`, currency: 'EUR', lines };
}
