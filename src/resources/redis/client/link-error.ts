/** Why there is no answer from a server that should speak RESP. */

export class LinkError extends Error {
  readonly why: 'unreachable' | 'silent' | 'not-redis' | 'too-large';

  constructor(why: LinkError['why'], message: string) {
    super(message);
    this.name = 'LinkError';
    this.why = why;
  }
}
