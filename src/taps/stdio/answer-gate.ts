/** Between a tool server and its consumer: all passes unchanged, except answers that a rule sends in another shape. */
import type { Clock } from '../../kernel/clock.ts';
import { createRandom } from '../../kernel/random.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import type { RpcShapeInput, WireAnswer } from '../../protocols/shapes/shape.ts';
import { shapeOf } from '../../protocols/shapes/shape-table.ts';
import { keyOf, rpcAnswersIn } from '../calls/rpc-calls.ts';
import { exchangeLimits } from '../exchanges/exchange-limits.ts';
import { rpcRequest } from '../exchanges/shaped-rpc.ts';

/** A rule that one request has met. */
export interface ShapeOrder {
  readonly rule: string;
  readonly shape: string;
  /** For what the shape draws. */
  readonly seed: string;
}

export interface ShapeDesk {
  /** Asked for each request; undefined where its answer passes as it is. */
  order(method: string): Promise<ShapeOrder | undefined>;
  /** Reported before the first byte is sent, so that the consumer cannot have met it earlier. */
  met(order: ShapeOrder, isFit: boolean): Promise<void>;
}

interface GateOptions {
  readonly desk: ShapeDesk;
  readonly clock: Clock;
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** The consumer's stream has ended. */
  hangUp(): void;
}

interface Asked {
  readonly request: RpcShapeInput['request'];
  readonly order: Promise<ShapeOrder | undefined>;
}

const lineFeed = 0x0a;

export class AnswerGate {
  hasHungUp = false;
  readonly #options: GateOptions;
  /** Requests whose answers a rule may send in another shape, by their ids. */
  readonly #asked = new Map<string, Asked>();
  /** Of a line that is kept until its end is there. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** The beginning of a line was forwarded. */
  #isInside = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** A line of the consumer. */
  asked(line: Buffer): void {
    const request = rpcRequest(line);
    const key = keyOf(request?.id);
    if (request === undefined || key === undefined) return;
    const order = this.#options.desk.order(request.method);
    this.#asked.set(key, { request, order });
    void order.then((is) => is === undefined && this.#asked.delete(key));
  }

  /** True where these bytes of the server need not be taken: the caller forwards them. */
  passes(bytes: Buffer): boolean {
    const isOpen = this.#asked.size === 0 && this.#keptBytes === 0;
    if (isOpen && bytes.length > 0) this.#isInside = bytes.at(-1) !== lineFeed;
    return isOpen;
  }

  async take(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(lineFeed, from);
      const piece = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
      from += piece.length;
      if (this.#isInside || this.passes(piece)) {
        this.#isInside = end === -1;
        await this.#options.write(piece);
      } else await this.#keep(piece, end !== -1);
    }
  }

  /** Nothing more comes of a line that was kept. */
  async rest(): Promise<void> {
    await this.#options.write(this.#takeKept());
  }

  async #keep(piece: Buffer, isWhole: boolean): Promise<void> {
    this.#kept.push(Buffer.from(piece));
    this.#keptBytes += piece.length;
    if (isWhole) await this.#pass(this.#takeKept());
    else if (this.#keptBytes > exchangeLimits.responseBytes) {
      this.#isInside = true;
      await this.rest();
    }
  }

  #takeKept(): Buffer {
    const line = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#keptBytes = 0;
    return line;
  }

  async #pass(line: Buffer): Promise<void> {
    const [answer] = rpcAnswersIn(looseJson(line.toString('utf8')));
    const asked = answer && this.#asked.get(answer.key);
    const order = await asked?.order;
    const { desk, write } = this.#options;
    if (answer === undefined || asked === undefined || order === undefined) return write(line);
    this.#asked.delete(answer.key);
    const shaped = 'result' in answer.said ? shapedLine(asked, order, answer.said.result) : undefined;
    await desk.met(order, shaped !== undefined);
    return shaped === undefined ? write(line) : this.#send(shaped);
  }

  async #send({ pieces, end }: WireAnswer): Promise<void> {
    const { clock, write } = this.#options;
    for (const { bytes, afterMs } of pieces) {
      if (afterMs !== undefined) await clock.sleep(afterMs);
      await write(bytes);
    }
    if (end !== 'fin' && end !== 'reset') return;
    this.hasHungUp = true;
    this.#options.hangUp();
  }
}

function shapedLine(
  { request }: Asked,
  { shape, seed }: ShapeOrder,
  result: unknown,
): WireAnswer | undefined {
  const random = createRandom(seed);
  return shapeOf(shape)?.makeRpc?.({ transport: 'mcp-stdio', request, result, accept: '', random });
}
