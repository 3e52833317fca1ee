/** Why a provider's answer is unusable: the error for the client, and whether another provider may be asked. */
import { ChunkError, NotAChunk } from '../chat/chunk.ts';
import { reasonOf } from '../service/log.ts';
import { codeOf } from '../wire/post.ts';
import { SseTooLong } from '../wire/sse-reader.ts';

export type FaultType =
  /** The provider rejects the request, and would again. */
  | 'upstream_rejected'
  /** It does not accept our key: the client cannot fix that. */
  | 'upstream_auth'
  | 'upstream_rate_limited'
  | 'upstream_error'
  | 'upstream_unreachable'
  | 'upstream_timeout'
  /** Neither a completion nor a stream of one. */
  | 'upstream_invalid'
  /** It ended early. */
  | 'upstream_truncated';

const permanent: readonly FaultType[] = ['upstream_rejected', 'upstream_auth'];

export class UpstreamFault extends Error {
  readonly type: FaultType;
  /** For the client. */
  readonly status: number;
  /** The provider's own code. */
  readonly code: string | null;
  readonly retryAfterMs: number | undefined;

  constructor(
    type: FaultType,
    status: number,
    message: string,
    more: { readonly code?: string | null; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.type = type;
    this.status = status;
    this.code = more.code ?? null;
    this.retryAfterMs = more.retryAfterMs;
  }

  /** A retry, or another provider, may succeed. */
  get isPassing(): boolean {
    return !permanent.includes(this.type);
  }
}

/** The fault for any error that is thrown while an answer is read. */
export function faultOf(error: unknown): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof ChunkError) {
    return new UpstreamFault('upstream_error', 502, error.message, { code: error.type });
  }
  if (error instanceof NotAChunk || error instanceof SseTooLong) {
    return new UpstreamFault('upstream_invalid', 502, error.message);
  }
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return new UpstreamFault('upstream_timeout', 504, reasonOf(error));
  if (code === 'EMSGSIZE' || code.startsWith('Z_'))
    return new UpstreamFault('upstream_invalid', 502, reasonOf(error));
  return new UpstreamFault('upstream_truncated', 502, 'the answer of the provider was cut off');
}
