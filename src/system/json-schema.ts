/** The forms of the files of a project as JSON Schema, for editors. */
import { boundariesDocument } from './document/boundaries-document.ts';
import { catalogueDocument } from './document/catalogue-document.ts';
import { systemDocument } from './document/system-document.ts';
import { schemaText } from './schema-text.ts';

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
