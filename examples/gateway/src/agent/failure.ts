/** A turn that failed, and whose fault it was. */

export type Cause = 'provider' | 'gateway' | 'agent' | 'tool';

export class Failure extends Error {
  readonly party: Cause;
  /** A word that programs can tell from others. */
  readonly type: string;

  constructor(party: Cause, type: string, message: string) {
    super(message);
    this.party = party;
    this.type = type;
  }
}

/** What the gateway says of a provider begins like this; all else is about the gateway itself. */
export function failureOfGateway(type: string, message: string): Failure {
  return new Failure(type.startsWith('upstream_') ? 'provider' : 'gateway', type, message);
}
