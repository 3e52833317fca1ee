/** What the methods of kinds in a flow are made of: how steps are requested, and what is observed. */
import type { ActError } from './act-error.ts';
import type { Spec } from './step-kind.ts';

/** A value that a pattern describes: plain data with `$` operators. */
export type Pattern = unknown;

/** `250ms`, `15s`, `2m` */
export type Duration = string;

export type Row = Readonly<Record<string, unknown>>;

export type Texts = Readonly<Record<string, string | number | boolean>>;

export interface ActOptions {
  /** The name of the step in the story; `#3` otherwise. */
  readonly as?: string;
  /** How long it may take; `10s` when absent. */
  readonly within?: Duration;
  /** A pattern that its result must match, or the attempt ends here. */
  readonly expect?: Pattern;
  /** An error of the transport is in the result instead of being thrown. */
  readonly mayFail?: boolean;
}

export interface Evidence {
  /** Only where `mayFail` or `expect` let it pass. */
  readonly error?: ActError;
}

/** Awaited, it samples now; passed to `check`, it is sampled when everything is quiet. */
export interface Observation<Value> extends PromiseLike<Value> {
  /** Samples until the pattern matches, and resolves to the matching value. */
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<Value>;
}

/** Requests steps at once, so that those of one turn can begin behind one barrier. */
export interface FlowSteps {
  /** The first key is that of the kind. `options` are those of every act, and keys of the step. Resolves to the evidence. */
  act<Result>(written: Spec, options?: ActOptions): Promise<Result>;
  /** For a step that opens something: resolves to what `handle` makes of it. */
  open<Result, Handle extends object>(
    written: Spec,
    options: ActOptions,
    handle: (line: OpenLine<Result>) => Handle,
  ): Promise<Handle>;
}

/** What a step has opened. */
export interface OpenLine<Result> {
  /** Requests a step on it. */
  say(spec: Spec, options?: ActOptions): Promise<Result>;
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<Result>;
  /** All that was received, as of the last answer. */
  soFar(): Result;
}

interface WithHeaders {
  readonly headers?: Texts;
}

/** The options of one act over those of all; their headers are added. */
export function mergedOptions<Options extends WithHeaders>(defaults: Options, options: Options): Options {
  const headers =
    defaults.headers || options.headers ? { headers: { ...defaults.headers, ...options.headers } } : {};
  return { ...defaults, ...options, ...headers };
}
