/** The schema of a trial as JSON Schema, for editors. */
import { schemaText } from '../../system/schema-text.ts';
import { trialSchema } from '../document/trial-document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The text of `schema/trial.schema.json`. Patterns accept anything; they are checked when the trial is read. */
export function trialSchemaText(): string {
  return schemaText(trialSchema(), 'a trial', (schema) => {
    const { properties } = schema as { readonly properties: Readonly<Record<string, Schema>> };
    const { steps = {}, checks = {} } = properties;
    const opened = {
      ...properties,
      steps: { ...steps, items: everyKind(steps.items as Schema) },
      checks: { ...checks, additionalProperties: everyKind(checks.additionalProperties as Schema) },
    };
    return { ...schema, properties: opened };
  });
}

/** In steps and checks, any value may be a reference that is filled in later. */
function everyKind({ anyOf, ...rest }: Schema): Schema {
  const kinds = anyOf as readonly { readonly properties: Readonly<Record<string, Schema>> }[];
  return {
    ...rest,
    anyOf: kinds.map(({ properties, ...kind }) => ({
      ...kind,
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, orReference(value)]),
      ),
    })),
  };
}

const reference: Schema = { type: 'string', pattern: '\\$\\{' };

function orReference({ description, ...schema }: Schema): Schema {
  const isAnything = Object.keys(schema).length === 0;
  const isAnyText =
    schema.type === 'string' &&
    schema.pattern === undefined &&
    schema.enum === undefined &&
    schema.const === undefined;
  const described = description === undefined ? {} : { description };
  return isAnything || isAnyText ? { ...schema, ...described } : { anyOf: [schema, reference], ...described };
}
