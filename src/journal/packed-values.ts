/** Large values are in a segment file next to the journal, with a reference in their place. */
import { closeSync, readSync, writeSync } from 'node:fs';
import { isContainer, parseExactJson } from '../kernel/exact-json.ts';
import { openNewFile } from '../kernel/folders/entries-below.ts';
import { openPlainFile } from '../kernel/folders/own-file.ts';
import { limits } from '../kernel/limits.ts';
import { checksum } from './seal.ts';

/** The reference in the journal to a value that is elsewhere. */
interface PackedReference {
  readonly $packed: {
    readonly offset: number;
    readonly bytes: number;
    /** Absent in journals of version 1. */
    readonly crc?: string;
  };
}

export interface ValuePacker {
  /** The event as JSON, with every large value replaced. */
  write(event: object): string;
  close(): void;
}

/** The file is made when the first value is packed. */
export function createPacker(file: string): ValuePacker {
  let descriptor: number | undefined;
  let offset = 0;
  const store = (text: string): unknown => {
    const bytes = Buffer.from(text);
    if (offset + bytes.length > limits.packedBytes) return { $dropped: { bytes: bytes.length } };
    descriptor ??= openNewFile(file);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    const reference: PackedReference = {
      $packed: { offset, bytes: bytes.length, crc: checksum(bytes) },
    };
    offset += bytes.length;
    return reference;
  };
  return {
    write: (event) => {
      const whole = JSON.stringify(event);
      if (whole.length <= limits.inlineBodyBytes) return whole;
      const large = Object.entries(event).flatMap(([key, value]) => {
        if (!isContainer(value)) return [];
        const text = JSON.stringify(value);
        return text.length > limits.inlineBodyBytes ? [[key, store(text)] as const] : [];
      });
      return large.length === 0 ? whole : JSON.stringify({ ...event, ...Object.fromEntries(large) });
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** The event with every value in its place again. */
export function unpack<Event extends object>(event: Event, file: string): Event {
  const packed = Object.entries(event).filter(([, value]) => isPacked(value)) as [string, PackedReference][];
  if (packed.length === 0) return event;
  return { ...event, ...Object.fromEntries(packed.map(([key, value]) => [key, readPacked(value, file)])) };
}

function readPacked({ $packed: { offset, bytes, crc } }: PackedReference, file: string): unknown {
  const { descriptor } = openPlainFile(file, 'followed');
  try {
    const buffer = Buffer.alloc(bytes);
    readSync(descriptor, buffer, 0, bytes, offset);
    if (crc !== undefined && crc !== checksum(buffer)) throw new Error('its checksum does not match');
    return parseExactJson(buffer.toString('utf8'));
  } finally {
    closeSync(descriptor);
  }
}

function isPacked(value: unknown): value is PackedReference {
  return isContainer(value) && '$packed' in value && Object.keys(value).length === 1;
}
