/** Reads the fields of a protobuf message, one after the other, and never beyond its end. */
import { BadTelemetry } from './sent-span.ts';

/** How a field is written: a varint, eight bytes, a length with bytes after it, four bytes. */
type Wire = 0 | 1 | 2 | 5;

const fixedBytes = { 1: 8, 5: 4 } as const;

export class ProtobufReader {
  /** Of the field at the reader's position. */
  field = 0;
  #wire: Wire = 0;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Steps to the next field; false at the end. Its value must be read, or skipped. */
  next(): boolean {
    if (this.#at === this.#bytes.length) return false;
    const tag = Number(this.#readVarint());
    const wire = tag % 8;
    this.field = Math.floor(tag / 8);
    if (this.field === 0 || (wire !== 0 && wire !== 1 && wire !== 2 && wire !== 5))
      throw new BadTelemetry(`protobuf: no field begins at byte ${this.#at}`);
    this.#wire = wire;
    return true;
  }

  skip(): void {
    if (this.#wire === 0) this.#readVarint();
    else if (this.#wire === 2) this.message();
    else this.#take(fixedBytes[this.#wire]);
  }

  /** A view: of a text, of bytes, of a message within the message. */
  message(): Buffer {
    this.#expect(2);
    return this.#take(Number(this.#readVarint()));
  }

  text(): string {
    return this.message().toString();
  }

  /** As many of its bits as are a number with a sign. */
  integer(): bigint {
    this.#expect(0);
    return BigInt.asIntN(64, this.#readVarint());
  }

  fixed64(): bigint {
    this.#expect(1);
    return this.#take(8).readBigUInt64LE();
  }

  double(): number {
    this.#expect(1);
    return this.#take(8).readDoubleLE();
  }

  #expect(wire: Wire): void {
    if (this.#wire !== wire)
      throw new BadTelemetry(`protobuf: field ${this.field} before byte ${this.#at} has another form`);
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length)
      throw new BadTelemetry(`protobuf: field ${this.field} ends after the message that it is in`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #readVarint(): bigint {
    let low = 0;
    for (let count = 0; count < 4; count += 1) {
      const byte = this.#readByte();
      low += (byte & 0x7f) * 2 ** (7 * count);
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let count = 4n; count < 10n; count += 1n) {
      const byte = this.#readByte();
      value |= BigInt(byte & 0x7f) << (7n * count);
      if (byte < 0x80) return value;
    }
    throw new BadTelemetry(`protobuf: the number before byte ${this.#at} has no end`);
  }

  #readByte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new BadTelemetry('protobuf: the message ends within a number');
    this.#at += 1;
    return byte;
  }
}
