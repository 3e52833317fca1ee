/** A request that is refused: its status, and a machine-readable type. */

export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.headers = headers;
  }
}

/** OpenAI's error format, which most clients understand. */
export function errorEnvelope(type: string, message: string, code: string | null = null) {
  return { error: { message, type, code, param: null } };
}
