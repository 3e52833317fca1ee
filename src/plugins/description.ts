/** What a plugin says about itself when it is asked to `describe`: its kinds of steps and checks. */
import { z } from 'zod';
import { closed, text } from '../kinds/kind/values.ts';
import { pluginLimits } from './plugin-limits.ts';

const keyRule = 'a name of letters, digits and _ that begins with a lower-case letter, such as `publish`';
const key = z
  .string(keyRule)
  .regex(/^[a-z]\w*$/, keyRule)
  .max(40, keyRule);

const jsonSchema = z.record(z.string(), z.unknown(), 'a JSON Schema');

const origins = ['measured', 'request', 'system'] as const;
const field = closed(
  {
    origin: z
      .enum(origins, origins.join(', '))
      .describe('Measured by the plugin, echoed from the step or query, or decided by the system.'),
    enum: z.array(z.string('a text'), 'a list of texts').describe('Every value that it can have.').optional(),
    description: text.optional(),
  },
  'a field',
);

const ofEveryKind = {
  title: text.describe('What it does, in one sentence.').optional(),
  target: z
    .literal('service', 'service')
    .describe('The value under the key names a service, whose address the plugin receives.')
    .optional(),
  value: jsonSchema.describe('What the value under the key may be, where it is not a service.').optional(),
  keys: z.record(key, jsonSchema, 'a map from keys to JSON Schemas').optional(),
  required: z.array(key, 'a list of keys').optional(),
  evidence: z
    .record(
      text.refine((name) => name !== 'error', 'another name than `error`, which every step has'),
      field,
      'a map from fields to { origin }',
    )
    .describe('Every key of what it gives, or of an element of it; any key when absent.')
    .optional(),
  examples: z
    .array(z.record(z.string(), z.unknown(), 'a map'), 'a list of maps')
    .describe('Steps or checks as they are written; the conformance suite uses them.')
    .optional(),
};

const stepDescription = closed(
  {
    ...ofEveryKind,
    outcome: text.describe('The field that says how it went.').optional(),
  },
  'a kind of step',
);

const checkDescription = closed(
  {
    ...ofEveryKind,
    gives: z.enum(['list', 'map'], 'list or map').describe('What a look returns.'),
    comparesWithBefore: z
      .literal(true, 'true')
      .describe('It is asked once before the first step, with `before: true`.')
      .optional(),
  },
  'a kind of check',
);

const kinds = <Kind extends z.ZodType>(kind: Kind, what: string) =>
  z
    .record(key, kind, what)
    .refine((all) => Object.keys(all).length <= pluginLimits.kinds, `at most ${pluginLimits.kinds} kinds`)
    .optional();

export const pluginDescription = closed(
  {
    protocol: z.literal(1, '1').describe('The version of the protocol.'),
    steps: kinds(stepDescription, 'a map from keys to kinds of steps'),
    checks: kinds(checkDescription, 'a map from keys to kinds of checks'),
  },
  'a description',
);

export type PluginDescription = z.output<typeof pluginDescription>;
export type StepDescription = z.output<typeof stepDescription>;
export type CheckDescription = z.output<typeof checkDescription>;
export type KindDescription = StepDescription | CheckDescription;
