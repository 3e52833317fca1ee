/** Whether a shape of a tool server's answer does to drawn requests what its row of the corpus says. */
import { isDeepStrictEqual } from 'node:util';
import { createRandom } from '../../src/kernel/random.ts';
import { judgeAgainstSchema } from '../../src/protocols/mcp/judge-against-schema.ts';
import { judgeToolCall } from '../../src/protocols/mcp/tool-schema.ts';
import type { RpcShapeInput, Shape } from '../../src/protocols/shapes/shape.ts';
import { isIllegal, type ShapeVerdict } from './check-model-shape.ts';
import { drawRpcInput, tools } from './draw-rpc-input.ts';
import { type RpcAnswer, readRpcAnswer } from './read-rpc-answer.ts';

const draws = 400;

/** Every answer that it makes must be right, and there must be one for each transport that it is said to be over. */
export function checkRpcShape(shape: Shape): ShapeVerdict {
  const made = { 'mcp-http': 0, 'mcp-stdio': 0 };
  for (let draw = 0; draw < draws; draw += 1) {
    const input = drawRpcInput(createRandom(`${shape.id}/${draw}`));
    const wrong = checkRpcInput(shape, input);
    if (typeof wrong === 'string') return { wrong: `${input.transport}, draw ${draw}: ${wrong}` };
    if (wrong === true) made[input.transport] += 1;
  }
  const transports = (['mcp-http', 'mcp-stdio'] as const).filter((one) => shape.over.includes(one));
  const missing = transports.find((transport) => made[transport] === 0);
  if (missing !== undefined) return { wrong: `${missing}: nothing is made of ${draws} drawn requests` };
  return { right: made['mcp-http'] + made['mcp-stdio'] };
}

/** Undefined where the request is none that the shape is about; a text says what is wrong. */
export function checkRpcInput(shape: Shape, input: RpcShapeInput): true | string | undefined {
  const answer = shape.makeRpc?.(input);
  if (answer === undefined) return undefined;
  const read = readRpcAnswer(input, answer);
  const special = Object.hasOwn(specials, shape.id) ? specials[shape.id] : undefined;
  if (special !== undefined) return special(read, input, shape) ?? true;
  const [breach] = read.breaches;
  if (isIllegal(shape)) {
    return (
      breach !== undefined ||
      !('result' in read) ||
      'an illegal answer breaks no rule and answers the request'
    );
  }
  if (breach !== undefined) return `a legal answer breaks ${breach.rule}: ${breach.what}`;
  return isDeepStrictEqual(read.result, input.result) || 'the result is another one';
}

type Special = (read: RpcAnswer, input: RpcShapeInput, shape: Shape) => string | undefined;

const noBreach =
  (holds: (read: RpcAnswer, input: RpcShapeInput) => boolean): Special =>
  (read, input) => {
    const [breach] = read.breaches;
    if (breach !== undefined) return `it breaks ${breach.rule}: ${breach.what}`;
    return holds(read, input) ? undefined : 'it is not what the row says';
  };

/** Rows whose answer is legal without being the honest result, or wrong in a way that one exchange does not show. */
const specials: Readonly<Record<string, Special>> = {
  M01: noBreach(({ status, messages }) => status === 202 && messages.length === 0),
  M03: noBreach(({ status }) => status === 405),
  M04: noBreach(({ status }) => status >= 400 && status < 500),
  M09: noBreach(({ status }) => status === 404),
  M16: ({ breaches, likelyResult }, { result }) =>
    isDeepStrictEqual(likelyResult, result) &&
    breaches.every(({ rule }) => rule === 'json-rpc.answer-id-type')
      ? undefined
      : 'it is not the same answer with an id of another type',
  M23: noBreach((read) => !('result' in read)),
  M24: (_, input, shape) => {
    const kind = input.request.method.split('/')[0] ?? '';
    const items = (input.result as Record<string, unknown>)[kind];
    return isDeepStrictEqual(allPages(shape, input, kind), items) ? undefined : 'the pages are not the list';
  },
  M25: (_, input, shape) =>
    allPages(shape, input, input.request.method.split('/')[0] ?? '') === undefined
      ? undefined
      : 'the list ends',
  M26: noBreach(({ result }) => (result as { isError?: unknown }).isError === true),
  M27: ({ result }, { request }) =>
    judgeToolCall(tools, request.params, result).some(({ by }) => by === 'provider')
      ? undefined
      : 'it fits the schema',
  M29: noBreach(({ result }) =>
    isSameToAnyCall((result as { tools: readonly { inputSchema: unknown }[] }).tools),
  ),
  M31: noBreach(({ result }, input) => {
    const { protocolVersion, ...rest } = result as Record<string, unknown>;
    const { protocolVersion: asked, ...honest } = input.result as Record<string, unknown>;
    return protocolVersion !== asked && isDeepStrictEqual(rest, honest);
  }),
  M33: noBreach(({ result }, input) => {
    const said = result as Record<string, unknown>;
    const honest = Object.entries(input.result as object);
    return (
      said.resultType === 'complete' && honest.every(([key, value]) => isDeepStrictEqual(said[key], value))
    );
  }),
};

const mostPages = 50;

/** Undefined where the list does not end. */
function allPages(shape: Shape, input: RpcShapeInput, kind: string): readonly unknown[] | undefined {
  const items: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? input.request.params : { cursor };
    const asked = { ...input, request: { ...input.request, params } };
    const answer = shape.makeRpc?.(asked);
    const result = answer === undefined ? undefined : readRpcAnswer(asked, answer).result;
    const { [kind]: listed, nextCursor } = (result ?? {}) as Record<string, unknown>;
    items.push(...(Array.isArray(listed) ? listed : []));
    if (nextCursor === undefined) return items;
    cursor = nextCursor;
  }
  return undefined;
}

const sampleCalls = [
  {},
  { a: 1, b: 2 },
  { a: 1 },
  { a: 'x', b: 2 },
  { text: 'hi' },
  { text: 'x'.repeat(10) },
  { c: 1 },
];

function isSameToAnyCall(listed: readonly { readonly inputSchema: unknown }[]): boolean {
  return tools.every((tool, at) =>
    sampleCalls.every(
      (sample) =>
        (judgeAgainstSchema(tool.inputSchema, sample) === undefined) ===
        (judgeAgainstSchema(listed[at]?.inputSchema, sample) === undefined),
    ),
  );
}
