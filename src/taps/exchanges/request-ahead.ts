/** A request that is kept until it is known which methods of JSON-RPC it calls. */
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import { answersOwnPing } from '../../protocols/shapes/make-mcp.ts';
import { rpcBeginning } from '../calls/rpc-beginning.ts';
import { rpcCallsIn } from '../calls/rpc-calls.ts';
import type { Part } from './exchange-edit.ts';
import { exchangeLimits } from './exchange-limits.ts';

export class RequestAhead {
  readonly parts: Part<RequestHead>[] = [];
  #bytes = 0;

  /** True when nothing more needs to be waited for. */
  add(part: Part<RequestHead>): boolean {
    this.parts.push({ ...part, raw: Buffer.from(part.raw) });
    this.#bytes += part.raw.length + partBytes;
    return part.is === 'end' || this.#bytes > exchangeLimits.requestBytes;
  }

  /** It answers what a shape has asked in the provider's place. */
  get answersOwnPing(): boolean {
    return answersOwnPing(looseJson(this.#text()));
  }

  /** For an incomplete body, the method that its beginning names. */
  rpcMethods(): readonly string[] {
    const text = this.#text();
    const json = looseJson(text);
    const calls = json === undefined ? [rpcBeginning(text)] : rpcCallsIn(json);
    return calls.flatMap((call) => (call === undefined ? [] : [call.method]));
  }

  #text(): string {
    const bodies = this.parts.flatMap(({ is, raw }) => (is === 'body' ? [raw] : []));
    return Buffer.concat(bodies).toString('utf8');
  }
}

/** Overhead of a part in addition to its bytes. */
const partBytes = 128;
