/** Descriptors that tell the keeper of a death: end-of-file on one means that whoever held the other end is gone. */
import { Socket } from 'node:net';

/** Held by whoever launched us; it says when there is a plan, and `detach` before it lets go politely. */
export const launcherDescriptor = 3;
/** Held by the guard, who says nothing. */
export const guardDescriptor = 4;

export const planWord = 'plan\n';
export const detachWord = 'detach\n';

export interface Lifeline {
  /** True once there is a plan; false when the line was cut before. */
  readonly planned: Promise<boolean>;
  /** Called when the line was cut, now or later, and not let go. */
  onCut(callback: () => void): void;
}

export function openLifeline(descriptor: number): Lifeline {
  let said = '';
  const planned = Promise.withResolvers<boolean>();
  const cut = Promise.withResolvers<void>();
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.setEncoding('utf8');
  pipe.on('data', (text: string) => {
    said += text;
    if (said.includes(planWord)) planned.resolve(true);
  });
  pipe.on('error', () => pipe.destroy()); // `close` follows
  pipe.on('close', () => {
    planned.resolve(false);
    if (!said.endsWith(detachWord)) cut.resolve();
  });
  return { planned: planned.promise, onCut: (callback) => void cut.promise.then(callback) };
}
