/** One connection, from its handshake to its end. Messages are processed in order, one at a time. */
import type { Socket } from 'node:net';
import { answerMessage } from '../answer-message.ts';
import { log, reasonOf } from '../log.ts';
import type { Parts } from '../parts.ts';
import { BadFrame, createFrameReader, frame } from '../wire/frames.ts';
import { keyword, type Printable, type Value } from '../wire/sexp.ts';

export interface Session {
  readonly id: string;
  readonly socket: Socket;
  /** Nothing more is read from it; later bytes are dropped. */
  ended: boolean;
}

const version = '1.0';

export async function serveSession(socket: Socket, id: string, parts: Parts): Promise<void> {
  const session: Session = { id, socket, ended: false };
  parts.sessions.set(id, session);
  socket.once('close', () => parts.sessions.delete(id));
  socket.on('error', (error) => log.info(`session ${id} was lost: ${reasonOf(error)}`));
  send(
    session,
    { TYPE: keyword('event'), PAYLOAD: { ACTION: keyword('handshake'), VERSION: version, SESSION: id } },
    parts,
  );
  for await (const message of readMessages(session, parts)) await answer(session, message, parts);
  session.ended = true;
  parts.hangUp(socket);
}

/** Ends when the other side has ended, or at the first bad frame. */
async function* readMessages(session: Session, parts: Parts): AsyncGenerator<Value> {
  const { socket } = session;
  const reader = createFrameReader(parts.measure);
  const patience = watchHalfFrame(session, parts);
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      patience.stop();
      if (session.ended) continue;
      yield* reader.push(chunk as Buffer);
      if (reader.halfway) patience.begin();
    }
    if (!session.ended) reader.end();
  } catch (error) {
    if (error instanceof BadFrame) parts.refuseFrame(session, error, parts);
    else if (!socket.destroyed) throw error;
  } finally {
    patience.stop();
  }
}

/** An incomplete frame that does not go on would block its session for ever. */
function watchHalfFrame(session: Session, parts: Parts): { begin(): void; stop(): void } {
  const { frameTimeoutMs } = parts.settings;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    session.ended = true;
    const fault = new BadFrame('stalled', `it was not whole within ${frameTimeoutMs} ms`);
    parts.refuseFrame(session, fault, parts);
    parts.hangUp(session.socket);
  };
  return {
    begin: () => {
      timer = setTimeout(giveUp, frameTimeoutMs);
    },
    stop: () => clearTimeout(timer),
  };
}

async function answer(asker: Session, message: Value, parts: Parts): Promise<void> {
  const answered = await answerMessage(asker, message, parts);
  if (answered === undefined) return;
  const recipient = parts.recipient(asker, parts.sessions);
  send(recipient, answered, parts);
}

export function send(session: Session, message: Printable, parts: Parts): void {
  if (session.socket.writable) session.socket.write(frame(message, parts.measure));
}
