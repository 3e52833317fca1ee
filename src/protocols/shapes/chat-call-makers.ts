/** Makes the shapes of tool calls: how fragments name their call, and how arguments are written. */
import { callsOf } from '../openai-chat/print-chat.ts';
import {
  chunkShape,
  type EditChunks,
  eitherShape,
  finishShape,
  fragmentsOf,
  isBare,
  type RawCall,
  wholeCall,
  withFragments,
} from './raw-chunks.ts';
import type { MakeAnswer, ShapeInput } from './shape.ts';

/** Calls and their fragments, call by call. */
function fragmentGroups(chunks: Parameters<EditChunks>[0], input: ShapeInput): RawCall[][] {
  const all = fragmentsOf(chunks);
  return callsOf(input.turn).map((_, index) => all.filter((fragment) => fragment.index === index));
}

/** Calls without arguments get these fragments instead; undefined where every call has some. */
const bareArguments =
  (draw: (input: ShapeInput) => readonly string[]): EditChunks =>
  (chunks, input) => {
    const calls = callsOf(input.turn);
    if (!calls.some((call) => isBare(call.arguments))) return undefined;
    const made = fragmentGroups(chunks, input).flatMap((group, index) => {
      const [head] = group;
      if (head === undefined || !isBare(calls[index]?.arguments ?? {})) return group.map((one) => [one]);
      return [[head], ...draw(input).map((text) => [{ index, function: { arguments: text } }])];
    });
    return withFragments(chunks, made);
  };

export const chatCallMakers: Readonly<Record<string, MakeAnswer>> = {
  /** With several calls each fragment has its id: without either it could belong to any. */
  C05: chunkShape((chunks, input) => {
    const calls = callsOf(input.turn);
    for (const fragment of fragmentsOf(chunks)) {
      const call = calls[fragment.index ?? 0];
      if (calls.length > 1 && call !== undefined) fragment.id = call.id;
      delete fragment.index;
    }
    return calls.length === 0 ? undefined : chunks;
  }),
  C06: chunkShape((chunks, { turn }) => (callsOf(turn).length === 0 ? undefined : chunks)),
  C07: chunkShape((chunks, { turn }) => {
    for (const fragment of fragmentsOf(chunks)) fragment.index = 0;
    return callsOf(turn).length < 2 ? undefined : chunks;
  }),
  C08: chunkShape((chunks, input) => {
    const groups = fragmentGroups(chunks, input);
    const rounds = Math.max(0, ...groups.map((group) => group.length));
    // Calls begin in their order: a client may take the first that it sees for the first of the list.
    const mixed = Array.from({ length: rounds }, (_, round) =>
      (round === 0 ? groups : input.random.shuffle(groups)).flatMap((group) =>
        group[round] === undefined ? [] : [[group[round]]],
      ),
    );
    return groups.length < 2 ? undefined : withFragments(chunks, mixed.flat());
  }),
  /** The last call comes first, and in one event both are in reverse order. */
  C09: chunkShape((chunks, input) => {
    const groups = fragmentGroups(chunks, input).reverse();
    const heads = groups.flatMap(([head]) => (head === undefined ? [] : [head]));
    const rest = groups.flatMap((group) => group.slice(1).map((fragment) => [fragment]));
    return groups.length < 2 ? undefined : withFragments(chunks, [heads, ...rest]);
  }),
  C10: chunkShape((chunks, input) => {
    const pairs = fragmentGroups(chunks, input).flatMap((group) => {
      const twos: RawCall[][] = [];
      for (let at = 0; at < group.length; at += 2) twos.push(group.slice(at, at + 2));
      return twos;
    });
    return pairs.length === 0 ? undefined : withFragments(chunks, pairs);
  }),
  C11: chunkShape((chunks, { turn }) => {
    const calls = callsOf(turn);
    for (const fragment of fragmentsOf(chunks)) {
      const name = calls[fragment.index ?? 0]?.name;
      if (name !== undefined) fragment.function = { ...fragment.function, name };
    }
    return calls.length === 0 ? undefined : chunks;
  }),
  /** Two equal halves would look like a name that is repeated. */
  C12: chunkShape((chunks, input) => {
    const groups = fragmentGroups(chunks, input);
    const made = groups.flatMap(([head, ...rest]) => {
      const name = head?.function?.name ?? '';
      if (head === undefined || name.length < 3) return [[head ?? {}], ...rest.map((one) => [one])];
      const at = name.length === 4 ? 1 : Math.ceil(name.length / 2) - (name.length % 2 === 0 ? 1 : 0);
      const { index } = head;
      const first = { ...head, function: { ...head.function, name: name.slice(0, at) } };
      const second = { ...(index === undefined ? {} : { index }), function: { name: name.slice(at) } };
      return [[first], [second], ...rest.map((one) => [one])];
    });
    const canBeCut = groups.some(([head]) => (head?.function?.name ?? '').length >= 3);
    return canBeCut ? withFragments(chunks, made) : undefined;
  }),
  C13: eitherShape(
    (chunks, input) => {
      const last = fragmentsOf(chunks).findLast(({ index }) => index === 0);
      if (last?.function === undefined) return undefined;
      last.function.arguments = `${last.function.arguments}${input.random.pick(['{}', '{"path":"/"}', '\n{}'])}`;
      return chunks;
    },
    ({ message }) => {
      const made = message.tool_calls?.[0]?.function;
      if (made === undefined) return false;
      made.arguments = `${made.arguments}{}`;
      return true;
    },
  ),
  C14: chunkShape(bareArguments(({ random }) => random.pick([[], ['', '{}'], ['{', '}']]))),
  C15: chunkShape(bareArguments(({ random }) => random.pick([['  '], ['\n', ' '], ['null']]))),
  C16: eitherShape(
    (chunks, { turn }) => {
      const calls = callsOf(turn);
      const made = calls.map((call, index): RawCall[] => [
        { ...wholeCall(call, index), function: { name: call.name, arguments: call.arguments } },
      ]);
      return calls.length === 0 ? undefined : withFragments(chunks, made);
    },
    ({ message }, { turn }) => {
      for (const [at, call] of callsOf(turn).entries()) {
        const made = message.tool_calls?.[at]?.function;
        if (made !== undefined) made.arguments = call.arguments;
      }
      return callsOf(turn).length > 0;
    },
  ),
  C17: finishShape(({ turn, random }, word) =>
    callsOf(turn).length > 0 && word === 'tool_calls' ? random.pick(wordsForCalls) : undefined,
  ),
  C18: finishShape(({ turn }) => (callsOf(turn).length === 0 ? 'tool_calls' : undefined)),
  /** Empty, null or absent; the same for all where there are several. */
  C39: eitherShape(
    (chunks, input) => {
      const id = drawId(input);
      const heads = fragmentsOf(chunks).filter((fragment) => fragment.id !== undefined);
      for (const head of heads) setId(head, id);
      return heads.length === 0 ? undefined : chunks;
    },
    ({ message }, input) => {
      const id = drawId(input);
      for (const call of message.tool_calls ?? []) setId(call, id);
      return message.tool_calls !== undefined;
    },
  ),
};

const wordsForCalls = ['stop', 'stop', 'eos', 'end_turn'];

function drawId({ turn, random }: ShapeInput): string | null | undefined {
  const bad = ['', null, undefined];
  return random.pick(callsOf(turn).length > 1 ? [...bad, 'call_0', callsOf(turn)[0]?.id] : bad);
}

function setId(call: RawCall, id: string | null | undefined): void {
  if (id === undefined) delete call.id;
  else call.id = id;
}
