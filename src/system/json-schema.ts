/** The forms of the files of a project as JSON Schema, for editors. */
import { z } from 'zod';
import { boundariesDocument } from './document/boundaries-document.ts';
import { catalogueDocument } from './document/catalogue-document.ts';
import { systemDocument } from './document/system-document.ts';

/** The text of `schema/system.schema.json`. */
export function systemSchemaText(): string {
  return schemaText(systemDocument, 'a system');
}

/** The text of `schema/boundaries.schema.json`. */
export function boundariesSchemaText(): string {
  return schemaText(boundariesDocument, 'the boundaries of a system');
}

/** The text of `schema/catalogue.schema.json`. */
export function catalogueSchemaText(): string {
  return schemaText(catalogueDocument, 'the catalogue of high-risk trials');
}

/** `shape` changes what zod says, where a file may hold more than its document. */
export function schemaText(document: z.ZodType, title: string, shape = (schema: object) => schema): string {
  const made = z.toJSONSchema(document, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = made;
  return `${JSON.stringify({ $schema, title: `Shakedown: ${title}`, ...shape(rest) }, null, 2)}\n`;
}
