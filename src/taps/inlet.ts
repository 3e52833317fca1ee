/** A socket as the source of a lane, with a second reason to pause it: a buffer between the two that is full. */
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

  /** While it is full, nothing resumes the socket. */
  setFull(isFull: boolean): void {
    this.#isFull = isFull;
    if (isFull) this.#socket.pause();
  }
}
