/** Descriptors that tell the keeper of a death: end-of-file on one means that whoever held the other end is gone. */
import { Socket } from 'node:net';

/** Held by whoever launched us; it lets go politely by saying `detach` first. */
export const launcherDescriptor = 3;
/** Held by the guard. */
export const guardDescriptor = 4;

export const detachWord = 'detach\n';

export function watchLifeline(descriptor: number, onCut: () => void): void {
  let said = '';
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.setEncoding('utf8');
  pipe.on('data', (text: string) => {
    said = `${said}${text}`.slice(-detachWord.length);
  });
  pipe.on('error', () => pipe.destroy()); // `close` follows
  pipe.on('close', () => {
    if (said !== detachWord) onCut();
  });
}
