/** The forms of the boundary registry and of the catalogue of high-risk trials as JSON Schema, for editors. */
import { z } from 'zod';
import { boundariesDocument } from './document/boundaries-document.ts';
import { catalogueDocument } from './document/catalogue-document.ts';

/** The text of `schema/boundaries.schema.json`. */
export function boundariesSchemaText(): string {
  return schemaText(boundariesDocument, 'Shakedown: the boundaries of a system');
}

/** The text of `schema/catalogue.schema.json`. */
export function catalogueSchemaText(): string {
  return schemaText(catalogueDocument, 'Shakedown: the catalogue of high-risk trials');
}

function schemaText(document: z.ZodType, title: string): string {
  const { $schema, ...rest } = z.toJSONSchema(document, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
