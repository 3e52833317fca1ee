/** A recording of a model is replayed with current ids: they are those of the consumer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dialects } from '../../src/protocols/dialects/dialect-table.ts';
import { createEventsFold } from '../../src/protocols/shapes/answer-forms.ts';
import { type DialectName, dialectNames } from '../../src/protocols/turn/turn.ts';
import type { ScriptLine } from '../../src/resources/model/script-line.ts';
import { asking, type OpenModel, openModel } from './open-model.ts';

const realKey = 'sk-the-real-key-0123456789';
const before = ['0b7d3a52-8c1e-4f0a-9b51-6f2f1d9c7a10', '4c0e8f61-1d2b-4e3a-8f70-aa11bb22cc33'];
const now = ['9f1c2d3e-4b5a-6978-8a9b-0c1d2e3f4a5b', '71b0c9d8-6e5f-4a3b-9c2d-1e0f2d3c4b5a'];

let cassettes = '';
beforeEach(() => {
  cassettes = mkdtempSync(path.join(tmpdir(), 'cassettes-'));
});
afterEach(() => rmSync(cassettes, { recursive: true, force: true }));

const echo: ScriptLine = {
  says: 'The note is ${request.text}.',
  calls: [{ name: 'read_file', arguments: { path: '${request.text}' } }],
  pieceChars: 5,
  times: 'any',
};

async function open(mode: 'record' | 'cassette'): Promise<OpenModel> {
  const provider = await openModel({ keys: [realKey] });
  await provider.begin({ outside: [echo] });
  const upstream = { url: provider.url('outside'), key: 'REAL_KEY' };
  const upstreams = { openai: upstream, anthropic: upstream, gemini: upstream };
  const front = await openModel({ mode, upstreams, cassettes }, { hostEnv: { REAL_KEY: realKey } });
  await front.begin();
  return front;
}

/** Its answer, assembled as a consumer does. */
async function ask(front: OpenModel, dialect: DialectName, stream: boolean, id: string): Promise<string> {
  const { path: target, body } = asking[dialect](stream);
  const question = JSON.parse(JSON.stringify(body).replace('What is in my notes?', id));
  const { text, json } = await front.ask(target, question);
  if (!stream) return JSON.stringify(dialects[dialect].foldBody(json, 200).parts);
  const fold = createEventsFold({ dialect: dialects[dialect], status: 200, headers: {} });
  fold.push(Buffer.from(text));
  return JSON.stringify(fold.end('end').parts);
}

test.each(dialectNames.flatMap((dialect) => [false, true].map((stream) => [dialect, stream] as const)))(
  '%s, streamed: %s',
  async (dialect, stream) => {
    const recording = await open('record');
    for (const id of before) await ask(recording, dialect, stream, id);
    await recording.settle();
    const playing = await open('cassette');
    for (const id of now) {
      const said = await ask(playing, dialect, stream, id);
      expect(said).toContain(`The note is ${id}.`);
      expect(said.split(id)).toHaveLength(3);
      for (const old of before) expect(said).not.toContain(old);
    }
  },
);
