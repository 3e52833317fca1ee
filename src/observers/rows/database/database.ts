/** What looking at rows needs of a database, whatever its kind. */
import type { SeenRow, Selection } from '../select-rows.ts';
import type { Catalogue, ColumnShape, TableShape, Way } from '../table-catalogue.ts';
import type { Literal, Scalar } from './where-literals.ts';

export interface Database {
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  /** Undefined when there are more rows, or larger ones, than the selection allows. */
  select(selection: Selection): Promise<readonly SeenRow[] | undefined>;
  /** Of all rows of a table; the hash does not depend on their order. */
  sum(shape: TableShape): Promise<{ readonly count: string; readonly hash: string }>;
  /** How it is built: every table with its columns, one a line. */
  describe(): Promise<string>;
  close(): Promise<void>;
}

/** How values are compared in its SQL. */
export interface Dialect {
  /** Undefined where a value cannot be compared. Rejects with `QueryRefused` when no row can have it, unless it `mayBeUnfit`. */
  wayFor(literal: Literal, mayBeUnfit: boolean): Promise<Way | undefined>;
  /** The n-th value of a statement, to be compared with this column. */
  parameter(number: number, column: ColumnShape): string;
  /** SQL that is true at least for the rows that show the value although they do not equal it. */
  others(column: ColumnShape, value: Scalar): string | undefined;
}
