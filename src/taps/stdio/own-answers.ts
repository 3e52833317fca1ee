/** Removes the answers to our own questions from what a consumer sends; everything else passes unchanged. */

import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import { answersOwnPing, ownPingPrefix } from '../../protocols/shapes/make-mcp.ts';
import { callLimits } from '../calls/call-limits.ts';

const lineFeed = 0x0a;

export class OwnAnswers {
  /** Of a line whose end has not come. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** The beginning of the line has passed, and so does its rest. */
  #isInside = false;

  /** What passes of these bytes. A line is only waited for where it may be such an answer. */
  pass(bytes: Buffer): Buffer {
    const passed: Buffer[] = [];
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(lineFeed, from);
      const piece = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
      from += piece.length;
      if (!this.#isInside) this.#begun.push(piece);
      this.#begunBytes += piece.length;
      if (this.#isInside) passed.push(piece);
      else if (end !== -1) passed.push(...this.#whole());
      else if (this.#begunBytes > callLimits.jsonBytes) passed.push(this.rest());
      this.#isInside = end === -1 && this.#begun.length === 0;
    }
    return passed.length === 1 ? (passed[0] as Buffer) : Buffer.concat(passed);
  }

  rest(): Buffer {
    const rest = Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    return rest;
  }

  #whole(): readonly Buffer[] {
    const line = this.rest();
    return line.includes(ownPingPrefix) && answersOwnPing(looseJson(line.toString('utf8'))) ? [] : [line];
  }
}
