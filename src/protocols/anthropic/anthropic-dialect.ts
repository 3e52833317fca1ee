/** The Anthropic messages API: requests read, answers printed and folded. */
import type { Dialect } from '../turn/dialect.ts';
import { printAnthropicError } from './anthropic-errors.ts';
import { foldAnthropicBody } from './anthropic-message.ts';
import { createAnthropicFold } from './fold-anthropic-events.ts';
import { printAnthropicBody, printAnthropicEvents } from './print-anthropic.ts';
import { readAnthropicRequest } from './read-anthropic-request.ts';

/** Gateways put their own prefix in front; many other services have messages at other addresses. */
const messagesPath = /^(?:\/[^?]*)?\/(?:v\d+|anthropic)\/messages\/?$/;

export const anthropicDialect: Dialect = {
  name: 'anthropic',
  route: (method, path) => (method === 'POST' && messagesPath.test(path) ? {} : undefined),
  readRequest: (body) => readAnthropicRequest(body),
  printBody: printAnthropicBody,
  printEvents: printAnthropicEvents,
  printError: printAnthropicError,
  foldBody: foldAnthropicBody,
  createFold: createAnthropicFold,
};
