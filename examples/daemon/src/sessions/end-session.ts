/** How a connection ends: after a bad frame, which is answered and logged, or because the other side has ended. */
import type { Socket } from 'node:net';
import { log } from '../log.ts';
import type { Parts } from '../parts.ts';
import type { BadFrame } from '../wire/frames.ts';
import { keyword } from '../wire/sexp.ts';
import { type Session, send } from './session.ts';

const lingerMs = 1_000;

export function refuseFrame(session: Session, fault: BadFrame, parts: Parts): void {
  log.warn(`bad frame from ${session.id}: ${fault.rule}: ${fault.message}`);
  const payload = {
    REASON: keyword('bad-frame'),
    RULE: keyword(fault.rule),
    DETAIL: fault.message,
  };
  send(session, { TYPE: keyword('error'), META: { SESSION: session.id }, PAYLOAD: payload }, parts);
}

/**
 * What the other side still sends is read and dropped for a while. If it were left unread, the system would reset the
 * connection, and the answer with the reason would be lost.
 */
export function hangUp(socket: Socket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
