/** OpenAI's chat completions, which most servers of models speak, each a little differently. */
import type { Dialect, ModelRoute } from '../turn/dialect.ts';
import { printChatError } from './chat-error.ts';
import { createChatFold, foldChatBody } from './fold-chat.ts';
import { printChatBody, printChatEvents } from './print-chat.ts';
import { readChatRequest } from './read-chat-request.ts';

/** Any prefix: `/v1`, `/openai/deployments/x`, `/api/v1`, or none. */
const path = /(?:^|\/)chat\/completions\/?$/;

export const openAiChatDialect: Dialect = {
  name: 'openai-chat',
  route: (method, at) => (method === 'POST' && path.test(at) ? deploymentOf(at) : undefined),
  readRequest: readChatRequest,
  printBody: printChatBody,
  printEvents: printChatEvents,
  printError: printChatError,
  foldBody: foldChatBody,
  createFold: createChatFold,
};

/** Azure has the model in its address, and it may be missing in the body. */
export function deploymentOf(at: string): ModelRoute {
  const model = at.includes('/deployments/') ? /\/deployments\/([^/]+)\//.exec(at)?.[1] : undefined;
  return model === undefined ? {} : { model };
}
