import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  answered,
  attemptJournal,
  call,
  chain,
  check,
  modelCalled,
  turn,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import { judge } from '../../checks/judge/judge-attempt.ts';
import type { TrialVerdict } from '../../checks/verdict.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatCalls } from './format-calls.ts';
import { formatTrial } from './format-trial.ts';
import { printLines } from './line.ts';

const relay = {
  name: 'chat',
  incoming: 'agent -> gateway',
  outgoing: 'gateway -> model',
  same: ['request.json.tools', 'turn.text', 'turn.calls', 'turn.usage'],
};
const path = '/v1/chat/completions';
const readFile = { id: 'c1', name: 'read_file', arguments: { path: '/notes/today.md' } };
const said = turn({ text: 'Voilà, let me look.', calls: [readFile], stop: 'tool-calls' });

function costIn(
  events: readonly AttemptEvent[],
): Pick<TrialVerdict, 'costUsd' | 'paidUsd' | 'unpriced' | 'tokens'> {
  const { costUsd, paidUsd = 0, unpriced, tokens } = judge(events);
  return { costUsd, paidUsd, unpriced, tokens };
}

function verdictOf(events: readonly AttemptEvent[]): TrialVerdict {
  const { verdict, cause, checks, faults, durationMs, blame } = judge(events);
  return {
    id: 'gateway/stream-tools',
    title: 'Text and tool calls of a stream reach the agent as they were said',
    file: 'trials/stream-tools.trial.yaml',
    line: 1,
    tags: [],
    covers: [],
    backend: null,
    verdict,
    cause,
    attempts: 1,
    checks,
    blame,
    durationMs,
    ...costIn(events),
    skipReason: null,
    repro: 'shakedown rerun latest gateway/stream-tools',
    faults,
    folder: 'trials/gateway/stream-tools',
  };
}

const usage = check({
  id: 'usage-passed-on',
  line: 31,
  kind: 'exchange',
  query: { exchange: 'ask' },
  expect: { json: { tokens: 13 } },
});

const story = attemptJournal({
  topology: { ...chain, relays: [relay] },
  record: { checks: [usage] },
  evidence: { status: 200, json: { tokens: null } },
  events: [
    modelCalled({ startedAt: 100, endedAt: 250 }),
    call('gateway -> model', [100, 250], { path, turn: said }),
    call('agent -> gateway', [50, 300], { path, turn: { ...said, usage: null } }),
    call('outside -> agent', [10, 390], { response: answered(200, { tokens: null }) }),
  ],
});
const shown = formatTrial(verdictOf(story), story, { runFolder: '.shakedown/latest', verbose: true }).join(
  '\n',
);

test('a broken relay: the story names the party, and shows the two exchanges', () => {
  expect(shown).toMatchInlineSnapshot(`
    "✗ gateway/stream-tools  failed after 500 ms: usage-passed-on: expected 13, observed null
      Text and tool calls of a stream reach the agent as they were said
      trials/stream-tools.trial.yaml:1

      What was done
            1 ms  ask: POST agent/ask
                  399 ms later: status 200, { tokens: null }

      What was expected, and what was seen
        ✗ usage-passed-on (line 31)
            expected  13
            observed  null
            at        $.json.tokens
            the answer:
              { status: 200, json: { tokens: null } }

      Who is to blame
        gateway: broke the relay chat: turn.usage was { input: 10, output: 3 } in call 1 of gateway ->
        model, and null in call 1 of agent -> gateway
        proven by
          gateway -> model  POST /v1/chat/completions  200  150 ms
            line 1: says "Voilà, let me look.", calls read_file { path: "/notes/today.md" }, 10 + 3
            tokens, 0.0010 USD
          agent -> gateway  POST /v1/chat/completions  200  250 ms
            says "Voilà, let me look.", calls read_file { path: "/notes/today.md" }

      Who answered what
          outside -> agent  POST /ask                  200  380 ms
          agent -> gateway  POST /v1/chat/completions  200  250 ms
            says "Voilà, let me look.", calls read_file { path: "/notes/today.md" }
          gateway -> model  POST /v1/chat/completions  200  150 ms
            line 1: says "Voilà, let me look.", calls read_file { path: "/notes/today.md" }, 10 + 3
            tokens, 0.0010 USD

      See it again
        shakedown rerun latest gateway/stream-tools
        everything that was seen: .shakedown/latest/trials/gateway/stream-tools
    "
  `);
});

test('the page shows this story', () => {
  const page = readFileSync(new URL('../../../docs/guides/blame.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`text\n${shown.trimEnd()}\n\`\`\``);
});

test('no party can be named', () => {
  const events = attemptJournal({
    topology: chain,
    record: { checks: [usage] },
    evidence: { status: 200, json: { tokens: null } },
    events: [call('outside -> agent', [10, 390])],
  });
  const lines = formatTrial(verdictOf(events), events, { verbose: true });
  const from = lines.indexOf('  Who is to blame');
  expect(lines.slice(from, from + 4).join('\n')).toMatchInlineSnapshot(`
    "  Who is to blame
        no party can be named: no party died, was silent, or broke a rule of a protocol or a relay; once
        a whole run has passed, the next failure of this trial is compared with it
    "
  `);
});

test('turns, broken rules and prices are below their calls', () => {
  const cut = unanswered(call('gateway -> model', [300, 320], { path }), 'cut');
  const bodies: readonly AttemptEventBody[] = [
    modelCalled({ startedAt: 100, endedAt: 150, costUsd: null, model: 'tiny' }),
    call('gateway -> model', [100, 150], { path, turn: said }),
    modelCalled({ call: 2, line: 2, startedAt: 200, endedAt: 250 }),
    call('gateway -> model', [200, 250], {
      path,
      turn: turn({
        text: '',
        complete: false,
        usage: null,
        stop: null,
        reasoning: 'hm',
        calls: [{ id: 'c2', name: 'read_file', argumentsText: '{"path": "/no' }],
        faults: [{ rule: 'chat.no-finish', what: 'the stream ended without a finish_reason' }],
      }),
    }),
    {
      ...cut,
      turn: turn({ text: '', error: { type: 'overloaded', message: 'try later' }, complete: false }),
    },
    call('agent -> files', [400, 410], {
      protocol: 'json-rpc',
      method: 'tools/call',
      params: { name: 'read_file' },
      result: {},
      faults: [{ by: 'consumer', rule: 'mcp.arguments-schema', what: 'path is missing' }],
    }),
    modelCalled({
      call: 3,
      startedAt: 500,
      endedAt: 510,
      fault: { kind: 'unscripted', what: 'no line is left' },
    }),
    call('gateway -> model', [500, 510], { path, response: answered(500, { error: 'unscripted' }) }),
  ];
  const events = bodies.map((body, index) => ({ seq: index + 1, at: index, ...body }));
  expect(printLines(formatCalls(events, 100), {}).join('\n')).toMatchInlineSnapshot(`
    "      gateway -> model  POST /v1/chat/completions  200      50 ms
            line 1: says "Voilà, let me look.", calls read_file { path: "/notes/today.md" }, 10 + 3
            tokens, no price for tiny
        ✗ gateway -> model  POST /v1/chat/completions  200      50 ms
            line 2: thinks, calls read_file with incomplete arguments: "{\\"path\\": \\"/no", incomplete,
            0.0010 USD
            the turn broke chat.no-finish: the stream ended without a finish_reason
        ✗ gateway -> model  POST /v1/chat/completions  cut off  20 ms
            fails: overloaded: try later, 10 + 3 tokens
        ✗ agent -> files    tools/call read_file       200      10 ms
            agent broke mcp.arguments-schema: path is missing
        ✗ gateway -> model  POST /v1/chat/completions  500      10 ms
            { error: "unscripted" }
            line 1: 0.0010 USD, no line is left"
  `);
});

test('felt disturbances are shown', () => {
  const felt: AttemptEventBody = {
    type: 'disturbance.felt',
    from: 'gateway',
    to: 'model',
    disturbance: 'disturb[0]',
    crossing: 1,
    connection: 1,
    what: 'cut by fin before event 2, after 212 bytes',
  };
  const events = attemptJournal({ topology: chain, record: { checks: [usage] }, events: [felt, cutCall()] });
  expect(formatTrial(verdictOf(events), events, { verbose: true }).join('\n')).toContain(
    '  What was disturbed\n    gateway -> model  disturb[0]: cut by fin before event 2, after 212 bytes\n',
  );
});

function cutCall(): CallEvent {
  return unanswered(call('gateway -> model', [0, 320], { path }), 'cut');
}
