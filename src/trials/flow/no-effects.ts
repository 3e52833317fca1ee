/** For a replay, which has no system: what a flow does by itself, without its context, must not happen again. */
import dgram from 'node:dgram';
import net from 'node:net';

/** Files, programs and workers are forbidden to the whole process when it is started. */
export const withoutEffects = ['--permission', '--allow-fs-read=*', '--max-old-space-size=512'] as const;

export function forbidEffects(): void {
  const refuse = (): never => {
    throw new Error('a replay reaches nothing outside of it');
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dgram.Socket.prototype.send = refuse;
  process.kill = refuse;
}
