/** In the stateless era a server asks in its answer: the request is sent again with what the step has prepared. */
import { isMap, type JsonMap } from '../../protocols/json-rpc/is-map.ts';
import type { Call } from './call.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { Outcome } from './waiting-room.ts';

/** Ends with the first answer that asks nothing, or asks what nothing answers. */
export async function answerBack(
  first: Outcome,
  params: JsonMap | undefined,
  call: Call,
  ask: (params: JsonMap) => Promise<Outcome>,
): Promise<Outcome> {
  let answer = first;
  for (let round = 0; round < mcpLimits.rounds; round += 1) {
    const result = answer.kind === 'result' ? answer.result : undefined;
    if (!isMap(result) || result.resultType !== 'input_required') break;
    const { inputRequests, requestState } = result;
    // A server that only wants to be asked again gives its state alone.
    const inputResponses = isMap(inputRequests) ? responsesTo(inputRequests, call) : {};
    if (inputResponses === undefined || (!isMap(inputRequests) && requestState === undefined)) break;
    const state = requestState === undefined ? {} : { requestState };
    answer = await ask({ ...params, ...(isMap(inputRequests) ? { inputResponses } : {}), ...state });
  }
  return answer;
}

function responsesTo(inputRequests: JsonMap, call: Call): JsonMap | undefined {
  const replies = Object.entries(inputRequests).map(([key, asked]) => {
    const { method = '', params } = isMap(asked) ? asked : {};
    const reply = call.reply(String(method));
    call.record.asked({ method: String(method), ...(params === undefined ? {} : { params }), ...reply });
    return [key, 'result' in reply ? reply.result : undefined] as const;
  });
  return replies.some(([, result]) => result === undefined) ? undefined : Object.fromEntries(replies);
}
