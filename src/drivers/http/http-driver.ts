/** The driver `http`: one request, and its answer as evidence. */
import type { Driver } from '../driver.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpStep } from './http-step.ts';

export const httpDriver: Driver<HttpStep> = {
  name: 'http',
  describe: ({ method, target, path }) => `${method} ${target}${path.startsWith('/') ? '' : '/'}${path}`,
  start: (step, context) => new HttpExchange(step, context),
};
