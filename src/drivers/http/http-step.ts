/** A step over HTTP, with every reference resolved. */

export interface HttpStep {
  readonly method: string;
  /** `agent`, or `agent.admin` for a listener of that name. */
  readonly target: string;
  /** As it will be sent, dots and all; what is not allowed in a request line is percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of these five. */
  readonly json?: unknown;
  readonly text?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly multipart?: readonly MultipartPart[];
  readonly body?: { readonly file?: string; readonly hex?: string };
  /** Go where the answer points. */
  readonly redirect?: boolean;
}

export interface MultipartPart {
  readonly name: string;
  /** One of these three. */
  readonly text?: string;
  readonly file?: string;
  readonly hex?: string;
  readonly filename?: string;
  readonly type?: string;
}
