/** The schema of a config as JSON Schema, for editors. */
import { z } from 'zod';
import { systemDocument } from './document/system-document.ts';

/** The text of `schema/system.schema.json`. */
export function systemSchemaText(): string {
  const schema = z.toJSONSchema(systemDocument, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = schema;
  return `${JSON.stringify({ $schema, title: 'Shakedown: a system', ...rest }, null, 2)}\n`;
}
