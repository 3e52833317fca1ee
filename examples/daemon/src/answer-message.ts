/** Dispatches a message by its type and returns the answer. */

import { healthPayload } from './health.ts';
import { log, reasonOf } from './log.ts';
import type { Parts } from './parts.ts';
import { sense } from './pipeline/sense.ts';
import { replyPayload } from './pipeline/take-stimulus.ts';
import { Refusal } from './refusal.ts';
import { requestGateways } from './requests/request-gateways.ts';
import { requestShell } from './requests/request-shell.ts';
import { requestSkills } from './requests/request-skills.ts';
import type { Session } from './sessions/session.ts';
import { nameAt, textAt } from './wire/message.ts';
import { keyword, type Printable, type Value } from './wire/sexp.ts';

interface Answer {
  readonly type: string;
  readonly target?: string;
  readonly payload: Printable;
}

/** Undefined where no answer is due. Never rejects: a failure is answered, too. */
export async function answerMessage(
  asker: Session,
  message: Value,
  parts: Parts,
): Promise<Printable | undefined> {
  const id = textAt(message, 'ID');
  try {
    const { answer, duplicate } = await parts.once.run(id, () => work(asker, message, parts));
    return answer && { ...(answer as object), META: meta(asker, id, duplicate) };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('internal', 'it is in the log');
    if (refusal === error) log.warn(`refused ${asker.id}: ${refusal.reason}: ${refusal.message}`);
    else log.error(`session ${asker.id} could not be answered: ${reasonOf(error)}`);
    const payload = { REASON: keyword(refusal.reason), DETAIL: refusal.message };
    return { TYPE: keyword('error'), PAYLOAD: payload, META: meta(asker, id, false) };
  }
}

function meta(asker: Session, id: string | undefined, duplicate: boolean): Printable {
  return { SESSION: asker.id, ID: id, DUPLICATE: duplicate || undefined };
}

async function work(asker: Session, message: Value, parts: Parts): Promise<Printable | undefined> {
  const answer = await answerByType(asker, message, parts);
  return (
    answer && {
      TYPE: keyword(answer.type),
      TARGET: answer.target === undefined ? undefined : keyword(answer.target),
      PAYLOAD: answer.payload,
    }
  );
}

async function answerByType(asker: Session, message: Value, parts: Parts): Promise<Answer | undefined> {
  const type = nameAt(message, 'TYPE');
  switch (type) {
    case 'event': {
      const decision = await parts.take(sense(message, asker.id, parts.gateways), parts);
      return decision && { type: 'event', payload: replyPayload(decision) };
    }
    case 'health-check':
      return { type: 'health-response', payload: healthPayload(parts.health(parts)) };
    case 'request':
      return answerRequest(asker, message, parts);
    default:
      throw new Refusal('unknown-type', `${type ?? 'nothing'} is no type of a message`);
  }
}

async function answerRequest(asker: Session, message: Value, parts: Parts): Promise<Answer> {
  const target = nameAt(message, 'TARGET');
  switch (target) {
    case 'shell': {
      const { failed, payload } = await requestShell(asker, message, parts);
      return { type: failed ? 'error' : 'response', target, payload };
    }
    case 'skills':
      return { type: 'response', target, payload: requestSkills(message, parts) };
    case 'gateways':
      return { type: 'response', target, payload: await requestGateways(message, parts) };
    default:
      throw new Refusal('unknown-target', `${target ?? 'nothing'} is none of shell, skills, gateways`);
  }
}
