/** A request that is kept until it is known which methods of JSON-RPC it calls. */
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { answersOwnPing } from '../../protocols/shapes/own-ping.ts';
import { readJson } from '../calls/read-json.ts';
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
    return answersOwnPing(readJson(this.#text())?.json);
  }

  /** Of a body that is not there as a whole, the method that its beginning tells. */
  rpcMethods(): readonly string[] {
    const text = this.#text();
    const json = readJson(text);
    const calls = json === undefined ? [rpcBeginning(text)] : rpcCallsIn(json.json);
    return calls.flatMap((call) => (call === undefined ? [] : [call.method]));
  }

  #text(): string {
    const bodies = this.parts.flatMap(({ is, raw }) => (is === 'body' ? [raw] : []));
    return Buffer.concat(bodies).toString('utf8');
  }
}

/** What a part costs beside its bytes. */
const partBytes = 128;
