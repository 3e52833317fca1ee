/** A document as the text of a JSON Schema, for editors. */
import { z } from 'zod';

/** `shape` changes what zod says, where a file may hold more than its document. */
export function schemaText(document: z.ZodType, title: string, shape = (schema: object) => schema): string {
  const made = z.toJSONSchema(document, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = made;
  return `${JSON.stringify({ $schema, title: `Shakedown: ${title}`, ...shape(rest) }, null, 2)}\n`;
}
