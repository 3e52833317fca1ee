/** Turns a JSON Schema of a plugin into a part of our documents, with messages that say what is allowed. */
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema as a value of a document; undefined, with the reason, when it is not a valid JSON Schema. */
export function schemaValue(schema: JsonSchema): { readonly value: z.ZodType } | { readonly fault: string } {
  let inner: z.ZodType;
  try {
    inner = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
  const value = z.unknown().superRefine((given, context) => {
    for (const issue of inner.safeParse(given).error?.issues ?? [])
      context.addIssue({
        ...issue,
        message:
          issue.code === 'unrecognized_keys' ? keysOf(schema, issue.path) : allowedAt(schema, issue.path),
      } as Parameters<typeof context.addIssue>[0]);
  });
  return { value: value.meta(schema) };
}

function keysOf(schema: JsonSchema, path: readonly PropertyKey[]): string {
  return Object.keys(asMap(schemaAt(schema, path)?.properties)).join(', ');
}

function allowedAt(schema: JsonSchema, path: readonly PropertyKey[]): string {
  return allowedBy(schemaAt(schema, path) ?? schema);
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const { properties, items, additionalProperties } = schema;
  const inner = typeof step === 'number' ? items : (asMap(properties)[String(step)] ?? additionalProperties);
  return typeof inner === 'object' && inner !== null ? schemaAt(inner as JsonSchema, rest) : undefined;
}

/** In words: `one of a, b`, `a whole number from 1 to 10`. */
function allowedBy(schema: JsonSchema): string {
  const { anyOf, oneOf, minItems } = schema;
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  const options = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (options) return options.map((option) => allowedBy(asMap(option))).join(', or ');
  switch (schema.type) {
    case 'string':
      return `a text${typeof schema.pattern === 'string' ? ` that matches ${schema.pattern}` : ''}${schema.minLength === undefined ? '' : ` of at least ${schema.minLength} characters`}`;
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array': {
      const least = minItems === undefined ? '' : ` of at least ${minItems}`;
      return schema.items === undefined
        ? `a list${least}`
        : `a list${least}, each ${allowedBy(asMap(schema.items))}`;
    }
    case 'object': {
      const keys = Object.keys(asMap(schema.properties));
      return keys.length === 0 ? 'a map' : `a map with the keys ${keys.join(', ')}`;
    }
    default:
      return typeof schema.description === 'string' ? schema.description : 'another value';
  }
}

function range({ minimum, maximum }: JsonSchema): string {
  return `${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` up to ${maximum}`}`;
}

function asMap(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}
