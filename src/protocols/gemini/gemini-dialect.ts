/** Gemini's `generateContent`, streamed or not: requests read, answers printed and folded. */
import { percentDecoded } from '../../kernel/percent-decoded.ts';
import type { Dialect, ModelRoute } from '../turn/dialect.ts';
import { createGeminiFold, foldGeminiBody } from './fold-gemini.ts';
import { printGeminiError } from './gemini-errors.ts';
import { printGeminiBody, printGeminiEvents } from './print-gemini.ts';
import { readGeminiRequest } from './read-gemini-request.ts';

export const geminiDialect: Dialect = {
  name: 'gemini',
  route: geminiRoute(['generateContent', 'streamGenerateContent']),
  readRequest: readGeminiRequest,
  printBody: printGeminiBody,
  printEvents: printGeminiEvents,
  printError: printGeminiError,
  foldBody: foldGeminiBody,
  createFold: createGeminiFold,
};

/** The model and the operation are both in the address. */
export function geminiRoute(verbs: readonly string[]): Dialect['route'] {
  const path = new RegExp(`^(?:/[^?]*)?/(?:models|tunedModels)/([^/:?]+):(${verbs.join('|')})/?$`);
  return (method, at): ModelRoute | undefined => {
    const [, model, verb] = (method === 'POST' && path.exec(at)) || [];
    return model === undefined
      ? undefined
      : { model: percentDecoded(model), stream: verb === 'streamGenerateContent' };
  };
}
