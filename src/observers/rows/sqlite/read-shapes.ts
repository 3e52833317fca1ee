/** What a SQLite database says of its tables and views. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { observerLimits } from '../../observer-limits.ts';
import type { ColumnShape, TableShape } from '../table-catalogue.ts';
import { isRefusal } from './sqlite-error.ts';

/** Its own tables, and those in which a virtual table keeps its data, are left out. */
const question = `
  SELECT name, type, strict FROM pragma_table_list
  WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY name LIMIT ${observerLimits.tables}`;

export function readShapes(database: DatabaseSync): readonly TableShape[] {
  const columns = database.prepare(
    'SELECT name, type, pk, "notnull" AS required FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid',
  );
  return database
    .prepare(question)
    .all()
    .map(({ name, type, strict }): TableShape => {
      const found = columnsOf(columns, String(name));
      const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      return {
        schema: 'main',
        name: String(name),
        kind: type === 'view' ? 'view' : 'table',
        // Of a module that only the service has: what it keeps is in tables beside it.
        isSecondary: type === 'virtual' && found.length === 0,
        isFilled: true,
        columns: found.map((column) => shapeOf(column, strict === 1)),
        key: key.map((column) => column.name),
      };
    });
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  /** 1 for NOT NULL. */
  readonly required: number;
}

/** Of a view over what is gone, or a table of an unknown module, there are none; who reads it hears why. */
function columnsOf(question: StatementSync, table: string): readonly Column[] {
  try {
    return question.all(table) as unknown as readonly Column[];
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

/** Only a STRICT table holds what its types say. */
function shapeOf({ name, type, required }: Column, isStrict: boolean): ColumnShape {
  const declares = { isAlways: required === 1, labels: null, chars: null, checks: [] };
  const isKept = isStrict && !/^any$/i.test(type);
  return {
    ...{ name, type: typeOf(type), sqlType: type, domain: null, equals: null },
    ...(isKept ? { declares } : {}),
  };
}

/** The names are those of PostgreSQL for what values of the declared type become; the order is that of SQLite’s own rules. */
function typeOf(declared: string): string {
  const [, type = 'bytea'] = types.find(([pattern]) => pattern.test(declared)) ?? ['', 'numeric'];
  return type;
}

const types: readonly (readonly [RegExp, string])[] = [
  [/^jsonb?$/i, 'json'],
  [/^bool/i, 'bool'],
  [/int/i, 'int8'],
  [/char|clob|text/i, 'text'],
  [/blob|^$/i, 'bytea'],
  [/real|floa|doub/i, 'float8'],
];
