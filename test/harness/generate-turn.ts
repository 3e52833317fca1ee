/** Draws turns from a seed: every kind of text, calls and endings that a dialect can carry. */
import type { Random } from '../../src/kernel/random.ts';
import type {
  DialectName,
  JsonObject,
  StopReason,
  Turn,
  TurnPart,
  Usage,
} from '../../src/protocols/turn/turn.ts';
import { type Carries, dialectCarries } from './dialect-carries.ts';

export interface DrawTurnOptions {
  readonly dialect: DialectName;
  /** Four where absent. */
  readonly mostCalls?: number;
  /** Pieces of one text, each of some characters; twelve where absent. */
  readonly mostPieces?: number;
}

export function drawTurn(random: Random, options: DrawTurnOptions): Turn {
  const carries = dialectCarries[options.dialect];
  const pieces = options.mostPieces ?? 12;
  const calls = drawCalls(random, carries, options.mostCalls ?? 4);
  const refuses = carries.refusal && calls.length === 0 && random.next() < 0.1;
  const parts: TurnPart[] = [
    ...drawReasoning(random, carries, pieces),
    ...drawTexts(random, carries, refuses ? 0 : pieces),
    ...(refuses ? [{ kind: 'refusal', text: `No. ${drawText(random, pieces)}` } as const] : []),
    ...calls,
  ];
  return {
    parts,
    stop: drawStop(random, carries, calls.length > 0, refuses),
    usage: drawUsage(random, carries),
  };
}

/** Text of the kinds that break readers: of several bytes, composed, right to left, like markup, like framing. */
export function drawText(random: Random, mostPieces: number): string {
  const count = random.integer(0, mostPieces);
  let text = '';
  for (let i = 0; i < count; i += 1) text += random.pick(textPieces);
  return text;
}

const textPieces = [
  'The answer is ',
  '42',
  ' ',
  '\n',
  '\r\n',
  '\n\n',
  '\t',
  'Voilà, ça y est. ',
  '今日は',
  '数据已保存。',
  '한국어',
  '👍',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  'e\u0301',
  'שלום ',
  'مرحبا ',
  '\u2028',
  '\u0000',
  '\u001b[1m',
  '\ufeff',
  '\ufffd',
  '𝒳',
  '"',
  '\\',
  '\\n',
  '{"a":1}',
  '}{',
  '[DONE]',
  'data: [DONE]\n\n',
  ': keepalive',
  'event: error\n',
  '</tool_call>',
  '```json\n',
];

function drawTexts(random: Random, carries: Carries, pieces: number): TurnPart[] {
  const count = random.pick(carries.joins.includes('text') ? [0, 1, 1, 1] : [0, 1, 1, 2]);
  return Array.from({ length: count }, () => ({ kind: 'text', text: drawText(random, pieces) }) as const);
}

function drawReasoning(random: Random, carries: Carries, pieces: number): TurnPart[] {
  if (random.next() < 0.6) return [];
  if (carries.redacted && random.next() < 0.2) {
    return [{ kind: 'reasoning', text: '', redacted: random.hex(24) }];
  }
  const text = `Let me think. ${drawText(random, pieces)}`;
  const signed = carries.signature && random.next() < 0.7;
  return [signed ? { kind: 'reasoning', text, signature: random.hex(32) } : { kind: 'reasoning', text }];
}

type CallPart = Extract<TurnPart, { readonly kind: 'call' }>;

function drawCalls(random: Random, carries: Carries, most: number): CallPart[] {
  const count = random.next() < 0.4 ? 0 : random.integer(0, most);
  return Array.from({ length: count }, (_, index) => ({
    kind: 'call',
    id: `${carries.callId}${random.hex(12)}${index}`,
    name: random.pick(toolNames),
    arguments: random.next() < 0.15 ? {} : drawObject(random, 3),
  }));
}

const toolNames = [
  'read_file',
  'edit_existing_file',
  'search',
  'a',
  'B-2',
  'mcp__notes__list',
  'x'.repeat(64),
];

function drawObject(random: Random, depth: number): JsonObject {
  const count = random.integer(0, 3);
  return Object.fromEntries(Array.from({ length: count }, () => [drawKey(random), drawValue(random, depth)]));
}

function drawKey(random: Random): string {
  return random.pick([
    'path',
    'a',
    'items',
    'query',
    'ключ',
    '名前',
    '🔑',
    '',
    '__proto__',
    'constructor',
    'a"b',
  ]);
}

function drawValue(random: Random, depth: number): unknown {
  const kind = random.integer(0, depth === 0 ? 4 : 6);
  if (kind === 0) return random.pick([true, false, null]);
  if (kind === 1) return random.pick([0, 1, -7, 0.5, 1e21, 1e-7, 9007199254740991, 123456.789]);
  if (kind <= 4) return drawText(random, 4);
  if (kind === 5) return drawObject(random, depth - 1);
  return Array.from({ length: random.integer(0, 3) }, () => drawValue(random, depth - 1));
}

function drawStop(random: Random, carries: Carries, hasCalls: boolean, refuses: boolean): StopReason {
  if (hasCalls) return random.next() < 0.9 ? 'tool-calls' : 'length';
  return refuses ? 'refusal' : random.pick(carries.drawnStops);
}

function drawUsage(random: Random, carries: Carries): Usage {
  const input = random.integer(0, 5_000);
  const output = random.integer(0, 5_000);
  return {
    input,
    output,
    ...(carries.cachedInput && random.next() < 0.5 ? { cachedInput: random.integer(0, input) } : {}),
    ...(carries.reasoningUsage && random.next() < 0.5 ? { reasoning: random.integer(0, output) } : {}),
  };
}
