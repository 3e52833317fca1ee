/** Answers a user's text: with the model's result, or with the cause of the failure. */
import { hasDefect } from '../defects.ts';
import type { ToolClient } from '../mcp/tool-client.ts';
import { type Log, reasonOf } from '../service/log.ts';
import type { JsonObject } from '../wire/json.ts';
import type { ModelAccess } from './ask-model.ts';
import { converse, type Step } from './converse.ts';
import { type Cause, Failure } from './failure.ts';
import type { Histories, Kept } from './histories.ts';

export interface AgentParts {
  readonly access: ModelAccess;
  readonly tools: ToolClient;
  readonly histories: Histories;
  readonly mostRounds: number;
  readonly model: string;
  readonly log: Log;
}

export interface Ask {
  readonly user: string;
  readonly text: string;
  readonly model: string;
  readonly requestId: string;
}

export interface Reply {
  readonly outcome: 'ok' | 'failed';
  /** For people. */
  readonly text: string;
  readonly cause?: Cause;
  readonly error?: { readonly type: string; readonly message: string };
  readonly steps: readonly Step[];
  readonly request_id: string;
}

export function answer(ask: Ask, parts: AgentParts): Promise<Reply> {
  return parts.histories.take(ask.user, (before) => answerWith(before, ask, parts));
}

async function answerWith(
  before: readonly JsonObject[],
  { user: _user, ...ask }: Ask,
  parts: AgentParts,
): Promise<Kept<Reply>> {
  const { access, tools, mostRounds, log } = parts;
  const steps: Step[] = [];
  const requestId = ask.requestId;
  try {
    const { text, messages } = await converse({ ...ask, access, tools, mostRounds, before, steps });
    log.info('answered', { request_id: requestId, steps: steps.length });
    return { value: { outcome: 'ok', text, steps, request_id: requestId }, said: messages };
  } catch (error) {
    const failure =
      error instanceof Failure ? error : new Failure('agent', 'internal_error', reasonOf(error));
    const about = {
      request_id: requestId,
      cause: failure.party,
      type: failure.type,
      reason: failure.message,
    };
    if (error instanceof Failure) log.warn('failed', about);
    else log.error('failed', about);
    return { value: failedReply(failure, steps, requestId), said: [] };
  }
}

function failedReply(failure: Failure, steps: readonly Step[], requestId: string): Reply {
  if (hasDefect('failure-told-as-success')) return { outcome: 'ok', text: '', steps, request_id: requestId };
  const { party: cause, type, message } = failure;
  return {
    outcome: 'failed',
    text: apologies[cause],
    cause,
    error: { type, message },
    steps,
    request_id: requestId,
  };
}

const apologies: Readonly<Record<Cause, string>> = {
  provider: 'Sorry, the model could not finish its answer.',
  gateway: 'Sorry, I cannot reach the model.',
  tool: 'Sorry, I cannot reach the files.',
  agent: 'Sorry, I could not come to an end.',
};

export function statusOf({ outcome, cause }: Reply): number {
  if (outcome === 'ok') return 200;
  return cause === 'agent' ? 500 : 502;
}
