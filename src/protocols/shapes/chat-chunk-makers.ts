/** Makes the shapes of chunks: preambles, choices without a delta, roles, reasoning, usage, several choices. */
import {
  choicesOf,
  chunkLike,
  chunkShape,
  deltasWith,
  finishChoice,
  rawChunks,
  sendChunks,
} from './raw-chunks.ts';
import type { MakeAnswer } from './shape.ts';

export const chatChunkMakers: Readonly<Record<string, MakeAnswer>> = {
  C01: (input) => {
    if (!input.streamed || input.turn.usage === undefined || !input.asked.usage) return undefined;
    return sendChunks(rawChunks({ ...input, about: { ...input.about, wantsUsage: true } }));
  },
  C02: chunkShape((chunks, { random }) => {
    const { choices: _, ...bare } = chunkLike(chunks, []);
    for (const chunk of chunks) if (chunk.choices?.length === 0) delete chunk.choices;
    chunks.splice(random.integer(0, chunks.length), 0, bare);
    return chunks;
  }),
  C03: chunkShape((chunks) => [
    {
      id: '',
      object: '',
      created: 0,
      model: '',
      prompt_filter_results: [
        { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
      ],
      choices: [],
    },
    ...chunks,
  ]),
  C04: chunkShape((chunks, { random }) => {
    const offsets = { check_offset: 44, start_offset: 44, end_offset: 198 };
    const filter = {
      index: 0,
      finish_reason: null,
      content_filter_offsets: offsets,
      content_filter_results: {},
    };
    delete finishChoice(chunks)?.delta;
    chunks.splice(random.integer(1, chunks.length), 0, chunkLike(chunks, [filter]));
    return chunks;
  }),
  C29: chunkShape((chunks) => {
    const texts = deltasWith(chunks, 'content');
    const thoughts = deltasWith(chunks, 'reasoning_content');
    for (const delta of texts) delta.content = [{ type: 'text', text: delta.content }];
    for (const delta of thoughts) {
      delta.content = [{ type: 'thinking', thinking: [{ type: 'text', text: delta.reasoning_content }] }];
      delete delta.reasoning_content;
    }
    return texts.length + thoughts.length === 0 ? undefined : chunks;
  }),
  C30: chunkShape((chunks, { random }) => {
    const name = random.pick(['reasoning', 'reasoning_content', 'both']);
    const thoughts = deltasWith(chunks, 'reasoning_content');
    for (const delta of thoughts) {
      if (name !== 'reasoning_content') delta.reasoning = delta.reasoning_content;
      if (name === 'reasoning') delete delta.reasoning_content;
    }
    return thoughts.length === 0 ? undefined : chunks;
  }),
  C31: chunkShape((chunks) => {
    for (const { delta } of choicesOf(chunks)) if (delta !== undefined) delta.reasoning_content ??= '';
    return chunks;
  }),
  C32: chunkShape((chunks) => (deltasWith(chunks, 'reasoning_content').length === 0 ? undefined : chunks)),
  C33: chunkShape((chunks) => {
    const texts = deltasWith(chunks, 'content');
    for (const delta of texts) delta.tool_calls = [];
    return texts.length === 0 ? undefined : chunks;
  }),
  /** Where the text comes first: it must not overtake what was thought. */
  C34: chunkShape((chunks, { turn }) => {
    if (turn.parts[0]?.kind !== 'text') return undefined;
    const [first] = deltasWith(chunks, 'content');
    const opening = chunks[0]?.choices?.[0]?.delta;
    if (first === undefined || opening === undefined) return undefined;
    opening.content = first.content;
    delete first.content;
    return chunks;
  }),
  /** With the finish, or with every chunk as the sum so far; never in a chunk of its own. */
  C35: (input) => {
    if (!input.streamed || input.turn.usage === undefined) return undefined;
    const chunks = rawChunks({ ...input, about: { ...input.about, wantsUsage: true } });
    const usage = chunks.pop()?.usage as { prompt_tokens: number; completion_tokens: number };
    const last = chunks.at(-1);
    if (last === undefined) return undefined;
    if (input.random.next() < 0.5) {
      const { prompt_tokens: input_, completion_tokens: output } = usage;
      const sums = chunks.map((_, at) => Math.floor((output * at) / chunks.length));
      for (const [at, chunk] of chunks.entries()) {
        chunk.usage = {
          prompt_tokens: input_,
          completion_tokens: sums[at],
          total_tokens: input_ + (sums[at] ?? 0),
        };
      }
    }
    last.usage = usage;
    return sendChunks(chunks);
  },
  /** Null until the end where the consumer asked for usage, and nowhere where it did not. */
  C36: chunkShape((chunks) => chunks),
  C37: chunkShape((chunks) => {
    let said = '';
    for (const chunk of chunks) {
      chunk.object = 'chat.completion';
      for (const choice of chunk.choices ?? []) {
        if (typeof choice.delta?.content === 'string') said += choice.delta.content;
        choice.message = { role: 'assistant', content: said };
      }
    }
    return chunks;
  }),
  /** Each choice says its piece in a drawn turn. */
  C38: (input) => {
    const { choices } = input.asked;
    const shuffled = chunkShape((chunks, { random }) => {
      const said = chunks.filter((chunk) => chunk.choices?.length === 1);
      const turns = Array.from({ length: said.length / choices }, (_, at) =>
        random.shuffle(said.slice(at * choices, (at + 1) * choices)),
      );
      return [...turns.flat(), ...chunks.filter((chunk) => chunk.choices?.length !== 1)];
    });
    return choices < 2 ? undefined : shuffled({ ...input, about: { ...input.about, choices } });
  },
  C40: chunkShape((chunks, input) => {
    const nothings = [
      { content: '' },
      { role: 'assistant', content: null },
      {},
      { refusal: null, annotations: [] },
    ];
    for (const chunk of chunks) chunk['x-unknown'] = { nested: [1, null] };
    return chunks.flatMap((chunk) => {
      const delta = { ...input.random.pick(nothings), unknown_field: 'x' };
      const isLate = finishChoice([chunk]) !== undefined || chunk.choices?.length === 0;
      return isLate ? [chunk] : [chunk, chunkLike(chunks, [{ index: 0, delta, finish_reason: null }])];
    });
  }),
};
