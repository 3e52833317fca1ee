/** A socket as the source of a lane, with a second reason to stop it: somebody between the two who has taken enough. */
import type { Socket } from 'node:net';
import type { Source } from './lane.ts';

export class Inlet implements Source {
  readonly #socket: Socket;
  #isFull = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isFull) this.#socket.resume();
  }

  isPaused(): boolean {
    return this.#socket.isPaused();
  }

  /** While it is full, nothing makes the socket go on. */
  setFull(isFull: boolean): void {
    this.#isFull = isFull;
    if (isFull) this.#socket.pause();
  }
}
