/** How a database can fail to answer. */
import { ObservationError } from '../../observer.ts';
import { observerLimits } from '../../observer-limits.ts';

/** It understood the statement and does not do it; `code` is that of the database: in PostgreSQL, the SQLSTATE. */
export class QueryRefused extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'QueryRefused';
    this.code = code;
  }
}

/** The statement was ended after its time. */
export class TookTooLong extends ObservationError {
  constructor() {
    super(`the database took longer than ${observerLimits.statementMs / 1000} s`, 'later');
    this.name = 'TookTooLong';
  }
}

/** Something went wrong in the server; some types say so of a value that they cannot read. */
export class ServerFault extends ObservationError {
  constructor(message: string) {
    super(`the database refuses: ${message}`, 'later');
    this.name = 'ServerFault';
  }
}
