/** Makers of the shapes of Gemini's answers, legal and not. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { geminiDialect } from '../gemini/gemini-dialect.ts';
import { finishReasons } from '../gemini/gemini-words.ts';
import { seal } from '../turn/seal.ts';
import type { JsonObject, Turn, TurnPart } from '../turn/turn.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';
import { answerOfBody, answerOfEvents } from './wire-answer.ts';

interface Chunk {
  readonly candidates: readonly [Candidate];
  readonly [field: string]: unknown;
}

interface Candidate {
  readonly content?: { readonly parts?: readonly JsonObject[]; readonly role?: string };
  readonly finishReason?: string;
  readonly index?: number;
}

function chunksOf(turn: Turn, { about }: ShapeInput): readonly Chunk[] {
  return geminiDialect.printEvents(turn, about).map(({ data }) => parseExactJson(data) as Chunk);
}

function bodyOf(turn: Turn, { about }: ShapeInput): Chunk {
  return geminiDialect.printBody(turn, about) as unknown as Chunk;
}

function answerOfChunks(chunks: readonly JsonObject[]): WireAnswer {
  return answerOfEvents(chunks.map((chunk) => ({ data: JSON.stringify(chunk) })));
}

function withCandidate(chunk: Chunk, change: (candidate: Candidate) => Candidate): Chunk {
  return { ...chunk, candidates: [change(chunk.candidates[0])] };
}

export const geminiMakers: Readonly<Record<string, MakeAnswer>> = {
  G01: (input) => {
    const { turn, streamed } = input;
    const isEmpty = turn.parts.length === 0;
    if (!streamed)
      return isEmpty ? answerOfBody(withCandidate(bodyOf(turn, input), withoutContent)) : undefined;
    const chunks = chunksOf(turn, input);
    const last = chunks.at(-1) as Chunk;
    const { usageMetadata: _, ...said } = last;
    const before = isEmpty ? [] : [...chunks.slice(0, -1), withCandidate(said as Chunk, withoutFinish)];
    return answerOfChunks([...before, withCandidate(last, withoutContent)]);
  },
  G02: ({ about, random, streamed, turn }) => {
    const blocked = {
      promptFeedback: { blockReason: random.pick(blockReasons) },
      usageMetadata: { promptTokenCount: turn.usage?.input ?? 0, totalTokenCount: turn.usage?.input ?? 0 },
      modelVersion: about.model,
      responseId: about.id,
    };
    return streamed ? answerOfChunks([blocked]) : answerOfBody(blocked);
  },
  G03: (input) => {
    if (!input.streamed || !input.turn.parts.some((part) => part.kind === 'text' && part.text !== ''))
      return undefined;
    const { model, id } = input.about;
    const content = { parts: [{ text: '' }], role: 'model' };
    const empty = {
      candidates: [{ content, finishReason: 'STOP', index: 0 }],
      modelVersion: model,
      responseId: id,
    };
    return answerOfChunks([empty, ...chunksOf(input.turn, input)]);
  },
  /** All calls in one content, and the signature on the first of them alone. */
  G04: (input) => {
    const { turn, streamed } = input;
    const calls = turn.parts.filter(({ kind }) => kind === 'call');
    if (calls.length < 2) return undefined;
    const others = turn.parts.filter(({ kind }) => kind !== 'call');
    const signed: Turn = { ...turn, parts: [...withoutLastSignature(others), thought(input), ...calls] };
    if (!streamed) return answerOfBody(bodyOf(signed, input));
    const chunks = chunksOf(signed, input);
    const together = chunks.slice(-calls.length).flatMap(({ candidates: [one] }) => one.content?.parts ?? []);
    const last = withCandidate(chunks.at(-1) as Chunk, (one) => ({
      ...one,
      content: { parts: together, role: 'model' },
    }));
    return answerOfChunks([...chunks.slice(0, -calls.length), last]);
  },
  G05: (input) => {
    const { turn, streamed } = input;
    if (!turn.parts.some(({ kind }) => kind === 'call')) return undefined;
    if (!streamed) return answerOfBody(withCandidate(bodyOf(turn, input), withoutIds));
    return answerOfChunks(chunksOf(turn, input).map((chunk) => withCandidate(chunk, withoutIds)));
  },
  G06: (input) => {
    const { turn, streamed, random } = input;
    const words = turn.stop === 'filter' ? finishReasons.filter : finishReasons.other;
    const finishReason = random.pick<string>(words);
    const change = (candidate: Candidate): Candidate => ({ ...candidate, finishReason });
    if (!streamed) return answerOfBody(withCandidate(bodyOf(turn, input), change));
    const chunks = chunksOf(turn, input);
    return answerOfChunks([...chunks.slice(0, -1), withCandidate(chunks.at(-1) as Chunk, change)]);
  },
  G07: ({ random }) => {
    const retryDelay = random.pick(['1s', '7s', '0.5s', '34.074824224s']);
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [
          { quotaMetric: 'generate_content_requests', quotaId: 'RequestsPerMinute', quotaValue: '10' },
        ],
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ];
    const message = `You have used your quota. Please try again in ${retryDelay}.`;
    return answerOfBody(
      { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } },
      { status: 429 },
    );
  },
};

function withoutContent({ content: _, ...rest }: Candidate): Candidate {
  return rest;
}

function withoutFinish({ finishReason: _, ...rest }: Candidate): Candidate {
  return rest;
}

const blockReasons = [
  'BLOCK_REASON_UNSPECIFIED',
  'SAFETY',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
  'MODEL_ARMOR',
  'JAILBREAK',
];

function thought({ random }: ShapeInput): TurnPart {
  return { kind: 'reasoning', text: '', signature: seal(random.hex(16)) };
}

/** It would be on the first call, which has room for one. */
function withoutLastSignature(parts: readonly TurnPart[]): readonly TurnPart[] {
  const last = parts.at(-1);
  return last?.kind === 'reasoning' ? [...parts.slice(0, -1), { kind: 'reasoning', text: last.text }] : parts;
}

function withoutIds(candidate: Candidate): Candidate {
  const parts = (candidate.content?.parts ?? []).map((part) => {
    const { functionCall } = part as { readonly functionCall?: JsonObject };
    if (functionCall === undefined) return part;
    const { id: _, ...call } = functionCall;
    return { ...part, functionCall: call };
  });
  return { ...candidate, content: { ...candidate.content, parts } };
}
