/** How a butler asks the model; the defects here can be seen only on the wire. */
import { log, reasonOf } from '../daemon/log.ts';
import type { ModelSettings } from '../daemon/settings.ts';
import { hasDefect } from '../defects.ts';
import { askModel, type Message, type ModelAnswer, type ModelRequest } from '../model/messages.ts';

export async function ask(
  model: ModelSettings,
  { messages, ...request }: ModelRequest,
  traceparent: string,
): Promise<ModelAnswer> {
  const told = { ...request, messages: misremember(messages) };
  const answer = await askModel(model, told, traceparent);
  if (hasDefect('model-asked-twice') && answer.stop_reason === 'end_turn') {
    await askModel(model, told, traceparent).catch((error: unknown) =>
      log.info(`asked once more, in vain: ${reasonOf(error)}`),
    );
  }
  return answer;
}

function misremember(messages: readonly Message[]): readonly Message[] {
  if (hasDefect('history-truncated')) return messages.slice(-1);
  if (hasDefect('wrong-tool-result-sent-back')) return messages.map(swapResults);
  return messages;
}

/** Each result under the id of another call of the same turn. */
function swapResults(message: Message): Message {
  if (typeof message.content === 'string') return message;
  const results = message.content.filter((block) => block.type === 'tool_result');
  const ids = results.map(({ tool_use_id }) => tool_use_id).reverse();
  if (results.length < 2) return message;
  const content = results.map((result, index) => ({ ...result, tool_use_id: ids[index] ?? '' }));
  return { ...message, content };
}
