/** Asks the targets of a model one after the other, until one gives a usable answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasDefect } from '../defects.ts';
import type { Log } from '../service/log.ts';
import type { Target } from './admission.ts';
import { askUpstream, type Question } from './ask-upstream.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { Relay } from './relay.ts';
import { faultOf, type UpstreamFault } from './upstream-fault.ts';

export interface Effort {
  readonly targets: readonly Target[];
  readonly question: Question;
  readonly settings: GatewaySettings;
  readonly log: Log;
  readonly relay: Relay;
  /** The client went away. */
  isGone(): boolean;
}

const backOffMs = 200;

/** Throws the fault of the last one that was asked, and any error when the client went away. */
export async function tryTargets(effort: Effort): Promise<void> {
  const targets = hasDefect('cascade-never-falls-back') ? effort.targets.slice(0, 1) : effort.targets;
  for (const [at, target] of targets.entries()) {
    const fault = await tryTarget(target, effort);
    if (!fault) return;
    if (at === targets.length - 1 || !mayAskAnother(fault, effort)) throw fault;
  }
}

/** Once a part of an answer is visible, no other provider may start another one. */
function mayAskAnother(fault: UpstreamFault, { relay }: Effort): boolean {
  if (relay.isVisible()) return hasDefect('text-twice-after-retry');
  return fault.isPassing || hasDefect('retries-everything');
}

/** A provider that asks for a short wait is asked once more after it. */
async function tryTarget(target: Target, effort: Effort): Promise<UpstreamFault | undefined> {
  const fault = await tryOnce(target, effort);
  if (!fault || effort.relay.isVisible()) return fault;
  if (hasDefect('retries-everything')) return tryOnce(target, effort);
  if (fault.type !== 'upstream_rate_limited') return fault;
  const waitMs = fault.retryAfterMs ?? backOffMs;
  if (waitMs > effort.settings.limits.retryAfterCapMs) return fault;
  if (!hasDefect('ignores-retry-after')) await sleep(waitMs, undefined, { signal: effort.question.gone });
  return tryOnce(target, effort);
}

async function tryOnce(target: Target, effort: Effort): Promise<UpstreamFault | undefined> {
  const { question, settings, log } = effort;
  try {
    await effort.relay.deliver(await askUpstream(target, question, settings), target);
    return undefined;
  } catch (error) {
    if (effort.isGone()) throw error;
    const fault = faultOf(error);
    log.warn('provider failed', {
      request_id: question.requestId,
      provider: target.provider,
      type: fault.type,
      reason: fault.message,
    });
    return fault;
  }
}
