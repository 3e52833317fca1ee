/** How a call that was recorded on an edge is written as a step of a kind. */
import type { Spec } from './step-kind.ts';

export interface StepRecorder {
  /** Of the calls that it writes. */
  readonly protocol: 'http' | 'json-rpc';
  /** Undefined for calls that a driver makes by itself. */
  write(call: RecordedCall, as: string, writing: Writing): RecordedAs | undefined;
}

export interface RecordedAs {
  readonly step: Spec;
  /** The content of its result, by the key under which a check finds it. */
  readonly result: Spec;
}

export interface RecordedCall {
  readonly to: string;
  readonly method: string;
  readonly path: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly request: RecordedMessage;
  readonly response?: RecordedMessage & { readonly status: number };
}

interface RecordedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** What differs in every run becomes a reference. */
export interface Writing {
  /** The called service, or what starts it. */
  readonly target: unknown;
  text(text: string): string;
  value(value: unknown): unknown;
  /** A remark for the person who reads the recording. */
  note(sentence: string): void;
}
