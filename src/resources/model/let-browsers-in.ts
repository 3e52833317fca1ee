/** A browser asks before it calls another origin, and hands out only answers that allow it. Providers allow every origin. */
import type { WireReply, WireRequest } from '../wire/wire-server.ts';

/** True where it was such a preflight, which is not a call. */
export function answerPreflight({ method, headers }: WireRequest, reply: WireReply): boolean {
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) return false;
  reply.send(204, {
    ...allowed,
    'access-control-allow-methods': asked,
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  });
  return true;
}

export function allowOrigin({ headers: { origin } }: WireRequest, reply: WireReply): WireReply {
  if (origin === undefined) return reply;
  return {
    send: (status, headers, body) => reply.send(status, { ...headers, ...allowed }, body),
    begin: (status, headers) => reply.begin(status, { ...headers, ...allowed }),
    answer: (answer) => reply.answer({ ...answer, headers: { ...answer.headers, ...allowed } }),
    write: (bytes) => reply.write(bytes),
    drained: () => reply.drained(),
    end: () => reply.end(),
    breakOff: (end) => reply.breakOff(end),
    get gone() {
      return reply.gone;
    },
    get isGone() {
      return reply.isGone;
    },
  };
}

const allowed = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
