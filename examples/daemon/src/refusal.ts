/** A request that is understood but refused; it is answered, and the connection stays open. */

export class Refusal extends Error {
  /** Becomes `:REASON`. */
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
