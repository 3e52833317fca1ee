/** The controller: opens sessions, validates what they submit, and passes work to the worker, one simulation at a time. */
import { randomUUID } from 'node:crypto';
import { checklistFault } from './checklist.ts';
import { hasDefect } from './defects.ts';
import { type Design, exceeded } from './limits.ts';
import { type Answer, type Asked, refusal, serve } from './serve.ts';

interface Session {
  readonly id: string;
  readonly token: string;
  checklist?: string;
  priced?: Design;
}

const sessions = new Map<string, Session>();
const key = process.env.API_KEY ?? '';
const worker = process.env.WORKER_URL ?? '';
let lastSimulation: Promise<unknown> = Promise.resolve();

serve('controller', async (asked) => {
  const { method, path, headers } = asked;
  if (path[0] === 'health') return { status: 200, body: { status: 'ok' } };
  if (headers['x-api-key'] !== key && !hasDefect('any-key')) return refusal(401, 'unknown_key');
  if (method === 'POST' && path.join('/') === 'sessions') return openSession();
  const session = sessions.get(path[1] ?? '');
  if (path[0] !== 'sessions' || !session) return refusal(404, 'not_found');
  if (session.token !== headers['x-session'] && !hasDefect('sessions-mixed'))
    return refusal(403, 'not_your_session');
  return inSession(session, asked);
});

function openSession(): Answer {
  const session = { id: randomUUID(), token: randomUUID() };
  sessions.set(session.id, session);
  return { status: 201, body: session };
}

async function inSession(session: Session, { method, path, body }: Asked): Promise<Answer> {
  const [, , what, name = ''] = path;
  switch (`${method} ${what}`) {
    case 'PUT files':
    case 'GET files':
      return askWorker(method, `/files/${session.id}/${encodeURIComponent(name)}`, body);
    case 'PUT checklist':
      return takeChecklist(session, String((body as { text?: unknown } | undefined)?.text ?? ''));
    case 'POST price':
      session.priced = body as Design;
      return { status: 200, body: { exceeded: exceeded(session.priced) } };
    case 'POST simulate':
      return judged(session) ?? inTurn(() => askWorker('POST', `/simulate/${session.id}`));
    case 'POST review':
      return judged(session) ?? { status: 202, body: { state: 'in_review' } };
    default:
      return refusal(404, 'not_found');
  }
}

async function takeChecklist(session: Session, text: string): Promise<Answer> {
  const fault = checklistFault(text, session.checklist);
  if (fault) return refusal(422, fault.error, { line: fault.line });
  session.checklist = text;
  return askWorker('PUT', `/files/${session.id}/todo.md`, { text });
}

/** Undefined when the design was priced and is within the limits. */
function judged({ priced }: Session): Answer | undefined {
  if (!priced) return hasDefect('price-later') ? undefined : refusal(409, 'not_priced');
  const reasons = exceeded(priced);
  return reasons.length === 0 ? undefined : refusal(422, 'limits_exceeded', { reasons });
}

function inTurn(simulate: () => Promise<Answer>): Promise<Answer> {
  if (hasDefect('simulates-at-once')) return simulate();
  const mine = lastSimulation.then(simulate, simulate);
  lastSimulation = mine;
  return mine;
}

async function askWorker(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${worker}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: await response.json() };
}
