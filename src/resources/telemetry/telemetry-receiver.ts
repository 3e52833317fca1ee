/** Accepts what exporters send over OTLP/HTTP: spans are reported one by one, metrics and logs only counted. */
import type { Emit } from '../../journal/event.ts';
import { unpack } from '../../kernel/content-coding.ts';
import { mediaType } from '../../protocols/http/media-type.ts';
import type { PeerPart, ScriptedPeer } from '../resource.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { keepSpan } from './keep-span.ts';
import { readJsonSpans } from './read-json-spans.ts';
import { readProtobufSpans } from './read-protobuf-spans.ts';
import { BadTelemetry, type SentSpan } from './sent-span.ts';
import { telemetryLimits } from './telemetry-limits.ts';

type Signal = 'traces' | 'metrics' | 'logs';
type Encoding = 'application/json' | 'application/x-protobuf';

export class TelemetryReceiver implements ScriptedPeer {
  readonly #resource: string;
  readonly #emit: Emit;
  /** Of this attempt. */
  #spans = 0;
  #chars = 0;
  readonly #counts = { traces: 0, metrics: 0, logs: 0 };

  constructor(resource: string, emit: Emit) {
    this.#resource = resource;
    this.#emit = emit;
  }

  /** Requests since the beginning, by what they brought. */
  get counts(): Readonly<Record<Signal, number>> {
    return this.#counts;
  }

  async begin(_: PeerPart): Promise<void> {
    this.#spans = 0;
    this.#chars = 0;
  }

  async settle(): Promise<void> {}

  async receive(request: WireRequest, reply: WireReply): Promise<void> {
    const signal = signalOf(request.path);
    const encoding = encodingOf(request);
    const refuse = refusal(reply, encoding);
    if (signal === undefined) refuse(404, `no telemetry is taken at ${request.path}`);
    else if (request.method !== 'POST') refuse(405, 'telemetry is sent by POST', { allow: 'POST' });
    else if (encoding === undefined) refuse(415, 'telemetry is application/x-protobuf or application/json');
    else if (request.tooLarge) refuse(413, tooLarge);
    else await this.#take(signal, encoding, request, reply);
  }

  async #take(signal: Signal, encoding: Encoding, request: WireRequest, reply: WireReply): Promise<void> {
    const refuse = refusal(reply, encoding);
    try {
      if (signal === 'traces') this.#keep(readSpans(request, encoding));
      this.#counts[signal] += 1;
      reply.send(200, { 'content-type': encoding }, encoding === 'application/json' ? '{}' : '');
    } catch (error) {
      if (error instanceof TooLarge) refuse(413, tooLarge);
      else if (error instanceof BadTelemetry) refuse(400, error.message);
      else throw error;
    }
  }

  #keep(spans: readonly SentSpan[]): void {
    for (const sent of spans) {
      if (this.#spans > telemetryLimits.spans) return;
      this.#spans += 1;
      const { span, used } = keepSpan(sent, telemetryLimits.keptChars - this.#chars);
      this.#chars += used;
      const isLast = this.#spans > telemetryLimits.spans;
      const more = `only the first ${telemetryLimits.spans} spans of an attempt are kept`;
      this.#emit({ type: 'span', resource: this.#resource, span, ...(isLast ? { more } : {}) });
    }
  }
}

class TooLarge extends Error {}

const tooLarge = `a request may have ${telemetryLimits.requestBytes} bytes, unpacked`;

function signalOf(path: string): Signal | undefined {
  const [, signal] = /^\/v1\/(traces|metrics|logs)\/?$/.exec(path) ?? [];
  return signal as Signal | undefined;
}

function encodingOf({ headers }: WireRequest): Encoding | undefined {
  const type = mediaType(headers['content-type']);
  return type === 'application/json' || type === 'application/x-protobuf' ? type : undefined;
}

/** One more than is kept. */
function readSpans(request: WireRequest, encoding: Encoding): readonly SentSpan[] {
  const body = unpacked(request);
  const most = telemetryLimits.spans + 1;
  return encoding === 'application/json' ? readJsonSpans(body, most) : readProtobufSpans(body, most);
}

function unpacked({ headers, body }: WireRequest): Buffer {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== 'gzip' && coding !== 'identity' && coding !== '')
    throw new BadTelemetry(`content-encoding ${coding} is not understood; gzip is`);
  const plain = unpack(body, coding, { mostBytes: telemetryLimits.requestBytes });
  if ('bytes' in plain) return plain.bytes;
  throw plain.tooLarge ? new TooLarge() : new BadTelemetry(plain.fault);
}

type Refusal = (status: number, message: string, headers?: Readonly<Record<string, string>>) => void;

/** Sends a `google.rpc.Status` in the encoding of the request: `{ code: 3 (invalid argument), message }`. */
function refusal(reply: WireReply, encoding: Encoding | undefined): Refusal {
  return (status, message, headers = {}) => {
    const type = encoding ?? 'application/json';
    const body = type === 'application/json' ? JSON.stringify({ code: 3, message }) : protobufStatus(message);
    reply.send(status, { ...headers, 'content-type': type }, body);
  };
}

function protobufStatus(message: string): Buffer {
  const text = Buffer.from(message).subarray(0, 127);
  return Buffer.concat([Buffer.of(0x08, 3, 0x12, text.length), text]);
}
