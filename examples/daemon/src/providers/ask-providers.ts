/** The provider cascade: asked in order, each with its time; the first that answers wins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { log, reasonOf } from '../log.ts';
import type { Parts } from '../parts.ts';
import { askProvider } from './ask-provider.ts';
import { type Provider, ProviderTrouble, type Question, type Said, type Thought } from './provider.ts';

/** Before the second try, unless the provider says how long to wait. */
const pauseMs = 50;

/** Undefined when none of them answers, or when the question itself is refused. */
export async function askProviders(question: Question, parts: Parts): Promise<Thought | undefined> {
  for (const provider of parts.providers) {
    try {
      return { provider: provider.name, ...(await askTwice(provider, question, parts)) };
    } catch (error) {
      log.warn(`provider ${provider.name} failed: ${reasonOf(error)}`);
      if (error instanceof ProviderTrouble && error.kind === 'question') return undefined;
    }
  }
  return undefined;
}

/** Retried once, only after a transient failure, and only within the provider's time. */
async function askTwice(provider: Provider, question: Question, parts: Parts): Promise<Said> {
  const endsAt = performance.now() + provider.timeoutMs;
  try {
    return await askProvider(provider, question, provider.timeoutMs, parts);
  } catch (error) {
    if (!parts.mayPass(error)) throw error;
    const waitMs = (error instanceof ProviderTrouble ? error.retryAfterMs : undefined) ?? pauseMs;
    if (performance.now() + waitMs >= endsAt) throw error;
    await sleep(waitMs);
    return askProvider(provider, question, endsAt - performance.now(), parts);
  }
}

export function mayPass(error: unknown): boolean {
  return error instanceof ProviderTrouble && error.kind === 'passing';
}
