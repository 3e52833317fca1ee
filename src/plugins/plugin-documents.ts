/** The documents of a plugin's kinds: their keys with JSON Schemas become documents like our own. */
import { z } from 'zod';
import { commonCheckKeys, commonStepKeys, pattern } from '../kinds/kind/keys-of-all.ts';
import { target } from '../kinds/kind/targets.ts';
import { closed } from '../kinds/kind/values.ts';
import type { CheckDescription, KindDescription, StepDescription } from './description.ts';
import { schemaValue } from './schema-document.ts';

/** The document of a kind, or why its schemas cannot be used. */
export type KindDocument = { readonly document: z.ZodObject } | { readonly fault: string };

export function stepDocumentOf(key: string, described: StepDescription): KindDocument {
  return documentOf(key, described, commonStepKeys, `a ${key} step`);
}

export function checkDocumentOf(key: string, described: CheckDescription): KindDocument {
  const where = pattern.describe('Only elements that match this.').optional();
  const common = { ...(described.gives === 'list' ? { where } : {}), ...commonCheckKeys };
  return documentOf(key, described, common, `a ${key} check`);
}

function documentOf(
  key: string,
  described: KindDescription,
  common: Readonly<Record<string, z.ZodType>>,
  what: string,
): KindDocument {
  const { title, value, keys = {}, required = [] } = described;
  const shape: Record<string, z.ZodType> = {};
  const named = value ? schemaValue(value) : { value: described.target ? target : z.unknown() };
  if ('fault' in named) return { fault: `its \`value\` is not a valid JSON Schema: ${named.fault}` };
  shape[key] = title === undefined ? named.value : named.value.describe(title);
  for (const [name, schema] of Object.entries(keys)) {
    if (Object.hasOwn(common, name) || name === key)
      return { fault: `its key \`${name}\` is a key of every kind` };
    const made = schemaValue(schema);
    if ('fault' in made) return { fault: `its key \`${name}\` has no valid JSON Schema: ${made.fault}` };
    shape[name] = required.includes(name)
      ? made.value.refine((given) => given !== undefined)
      : made.value.optional();
  }
  const missing = required.find((name) => !Object.hasOwn(keys, name));
  if (missing !== undefined) return { fault: `it requires \`${missing}\`, which is not one of its \`keys\`` };
  return { document: closed({ ...shape, ...common }, what) };
}
