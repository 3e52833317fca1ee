/** A turn that failed, and its cause. */

export type Cause = 'provider' | 'gateway' | 'agent' | 'tool';

export class Failure extends Error {
  readonly party: Cause;
  /** Machine-readable. */
  readonly type: string;

  constructor(party: Cause, type: string, message: string) {
    super(message);
    this.party = party;
    this.type = type;
  }
}

/** Error types about a provider begin like this; all others are about the gateway itself. */
export function failureOfGateway(type: string, message: string): Failure {
  return new Failure(type.startsWith('upstream_') ? 'provider' : 'gateway', type, message);
}
