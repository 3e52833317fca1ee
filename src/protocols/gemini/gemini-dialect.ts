/** Gemini's `generateContent`, streamed or not: requests read, answers printed and folded. */
import type { Dialect, ModelRoute } from '../turn/dialect.ts';
import { foldGeminiBody } from './fold-gemini-body.ts';
import { createGeminiFold } from './fold-gemini-events.ts';
import { printGeminiError } from './gemini-errors.ts';
import { printGeminiBody, printGeminiEvents } from './print-gemini.ts';
import { readGeminiRequest } from './read-gemini-request.ts';

export const geminiDialect: Dialect = {
  name: 'gemini',
  route: readRoute,
  readRequest: readGeminiRequest,
  printBody: printGeminiBody,
  printEvents: printGeminiEvents,
  printError: printGeminiError,
  foldBody: foldGeminiBody,
  createFold: createGeminiFold,
};

const modelPath =
  /^(?:\/[^?]*)?\/(?:models|tunedModels)\/([^/:?]+):(generateContent|streamGenerateContent)\/?$/;

function readRoute(method: string, path: string): ModelRoute | undefined {
  const [, model, verb] = (method === 'POST' && modelPath.exec(path)) || [];
  if (model === undefined) return undefined;
  return { model: decoded(model), stream: verb === 'streamGenerateContent' };
}

function decoded(model: string): string {
  try {
    return decodeURIComponent(model);
  } catch {
    return model; // a stray per cent sign is a name that no model has
  }
}
