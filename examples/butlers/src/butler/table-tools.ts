/** The tools of a manifest: each writes one row of a table of the butler, or reads the newest ones. */
import { z } from 'zod';
import { hasDefect } from '../defects.ts';
import type { FieldManifest, ToolManifest } from '../manifest.ts';
import type { Tool, ToolContext } from './tool.ts';

type Fields = Readonly<Record<string, unknown>>;

const maxRowsRead = 20;

export function tableTool(manifest: ToolManifest): Tool {
  const fields = Object.entries(manifest.fields).map(([name, field]) => [name, toSchema(field)]);
  const run = manifest.action === 'write' ? writeRow : readRows;
  return {
    name: manifest.name,
    description: manifest.description,
    fields: Object.fromEntries(fields),
    run: (values, context) =>
      run(manifest.table, hasDefect('tool-args-lost') ? requiredOnly(manifest, values) : values, context),
  };
}

function requiredOnly({ fields }: ToolManifest, values: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields[name]?.optional === false));
}

function toSchema(field: FieldManifest): z.ZodType {
  const schema = field.description === undefined ? typeOf(field) : typeOf(field).describe(field.description);
  return field.optional ? schema.optional() : schema;
}

function typeOf(field: FieldManifest): z.ZodType {
  if (field.type === 'boolean') return z.boolean();
  if (field.type === 'date') return z.iso.date();
  if (field.type === 'text') return field.oneOf ? z.enum(field.oneOf) : z.string().min(1).max(2_000);
  const number = field.type === 'integer' ? z.int() : z.number();
  return number.min(field.min ?? Number.MIN_SAFE_INTEGER).max(field.max ?? Number.MAX_SAFE_INTEGER);
}

async function writeRow(table: string, values: Fields, { database, session }: ToolContext): Promise<string> {
  const row = Object.entries({ ...values, session }).filter(([, value]) => value !== undefined);
  const columns = row.map(([name]) => `"${name}"`).join(', ');
  const places = row.map((_, index) => `$${index + 1}`).join(', ');
  const written = await database.query(
    `INSERT INTO "${table}" (${columns}) VALUES (${places}) RETURNING *`,
    row.map(([, value]) => value),
  );
  return JSON.stringify(written.rows[0]);
}

async function readRows(table: string, values: Fields, { database }: ToolContext): Promise<string> {
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  const where = wanted.map(([name], index) => `"${name}" = $${index + 1}`).join(' AND ') || 'true';
  const found = await database.query(
    `SELECT * FROM "${table}" WHERE ${where} ORDER BY id DESC LIMIT ${maxRowsRead}`,
    wanted.map(([, value]) => value),
  );
  return JSON.stringify(found.rows);
}
