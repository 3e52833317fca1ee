/** What a database says of its tables and views: their columns and keys. */

import { observerLimits } from '../observer-limits.ts';
import type { DatabaseLink } from './database-link.ts';

export interface TableShape {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view' | 'foreign';
  /** A part of a partitioned table, or one that an extension brought along: not data of its own. */
  readonly isSecondary: boolean;
  /** False for a materialized view that was never filled: it holds nothing, and cannot be read. */
  readonly isFilled: boolean;
  readonly columns: readonly ColumnShape[];
  /** Columns of the primary key, in its order; empty when there is none. */
  readonly key: readonly string[];
}

export interface ColumnShape {
  readonly name: string;
  /** Name of a built-in type (`int4`, `text`, `timestamptz` …), `enum`, or `other`; of a domain, that of what it is made of. */
  readonly type: string;
  /** For a cast that does not cut a value that is too long. */
  readonly sqlType: string;
  readonly domain: string | null;
  /** The operator; null where there is none, or where it compares areas. */
  readonly equals: string | null;
  readonly declares?: {
    readonly isAlways: boolean;
    /** Of an enumeration. */
    readonly labels: readonly string[] | null;
    /** Of a `varchar` that has a length. */
    readonly chars: number | null;
    /** Definitions of the constraints that only this column has. */
    readonly checks: readonly string[];
  };
}

/** How two expressions are compared in SQL. */
export type Way = (a: string, b: string) => string;

export interface Catalogue {
  /** All tables of all schemas, as they were when they were last asked for. */
  tables(): Promise<readonly TableShape[]>;
  /** The schema was changed: the next query reads it again. */
  forget(): void;
}

/** A failure is not remembered. */
export function openCatalogue(read: () => Promise<readonly TableShape[]>): Catalogue {
  let known: Promise<readonly TableShape[]> | undefined;
  return {
    tables: () => {
      known ??= read().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      return known;
    },
    forget: () => {
      known = undefined;
    },
  };
}

const question = `
  WITH RECURSIVE domain (oid, base) AS (
    SELECT oid, typbasetype FROM pg_type WHERE typtype = 'd'
    UNION ALL SELECT d.oid, t.typbasetype FROM domain d JOIN pg_type t ON t.oid = d.base AND t.typtype = 'd'
  )
  SELECT n.nspname AS schema, c.relname AS name,
    CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'f' THEN 'foreign' ELSE 'table' END AS kind,
    c.relispartition OR EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
    ) AS "isSecondary",
    c.relispopulated AS "isFilled",
    coalesce((
      SELECT json_agg(json_build_object('name', a.attname, 'type', CASE
          WHEN t.typtype = 'e' THEN 'enum'
          WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN t.typname
          ELSE 'other' END,
        'sqlType', CASE WHEN t.oid IN ('"char"'::regtype, 'name'::regtype) THEN 'pg_catalog.text'
          ELSE format('%I.%I', tn.nspname, t.typname) END,
        'domain', CASE WHEN t.oid <> a.atttypid THEN a.atttypid::regtype::text END,
        'equals', CASE WHEN t.typcategory <> 'G' THEN coalesce((
          SELECT format('OPERATOR(%s.=)', o.oprnamespace::regnamespace) FROM pg_operator o
          WHERE o.oprname = '=' AND o.oprleft = t.oid AND o.oprright = t.oid LIMIT 1
        ), '=') END,
        'declares', json_build_object(
          'isAlways', a.attnotnull OR (SELECT o.typnotnull FROM pg_type o WHERE o.oid = a.atttypid),
          'labels', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
          'chars', CASE WHEN a.atttypid = 'varchar'::regtype AND a.atttypmod > 4 THEN a.atttypmod - 4 END,
          'checks', coalesce((
            SELECT json_agg(pg_get_constraintdef(k.oid)) FROM pg_constraint k
            WHERE k.contype = 'c' AND k.convalidated AND NOT k.connoinherit
              AND ((k.conrelid = c.oid AND k.conkey = ARRAY[a.attnum]) OR (k.contypid <> 0 AND k.contypid = a.atttypid))
          ), '[]'))) ORDER BY a.attnum)
      FROM pg_attribute a
        JOIN pg_type t ON t.oid = coalesce((
          SELECT d.base FROM domain d JOIN pg_type b ON b.oid = d.base WHERE d.oid = a.atttypid AND b.typtype <> 'd'
        ), a.atttypid)
        JOIN pg_namespace tn ON tn.oid = t.typnamespace
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    ), '[]') AS columns,
    coalesce((
      SELECT json_agg(a.attname ORDER BY k.place)
      FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND i.indisprimary
    ), '[]') AS key
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  ORDER BY n.nspname, c.relname
  LIMIT ${observerLimits.tables}`;

export async function readTables(link: DatabaseLink): Promise<readonly TableShape[]> {
  return (await link.query(question)) as unknown as readonly TableShape[];
}
