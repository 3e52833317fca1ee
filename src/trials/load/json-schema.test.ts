import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkDocument, checkKeys } from '../kinds/check-table.ts';
import { stepDocuments } from '../kinds/step-table.ts';
import { trialSchemaText } from './json-schema.ts';

interface Kind {
  readonly required: readonly string[];
  readonly additionalProperties: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

test('schema/trial.schema.json is up to date (node scripts/write-schema.ts)', async () => {
  const file = new URL('../../../schema/trial.schema.json', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(trialSchemaText());
});

test('the schema has what an editor needs: closed maps, every kind of step and check, open patterns', () => {
  const schema = JSON.parse(trialSchemaText());
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
  expect(schema.required).toEqual(['id']);
  expect(schema.additionalProperties).toBe(false);
  const steps: readonly Kind[] = schema.properties.steps.items.anyOf;
  const checks: readonly Kind[] = schema.properties.checks.additionalProperties.anyOf;
  expect(steps.map(({ required }) => required[0])).toEqual(Object.keys(stepDocuments()));
  expect(checks.map(({ required }) => required[0])).toEqual(checkKeys());
  for (const { additionalProperties, properties } of [...steps, ...checks]) {
    expect(additionalProperties).toBe(false);
    if ('expect' in properties) expect(Object.keys(properties.expect as object)).toEqual(['description']);
  }
});

test('a value of a step may be a reference', () => {
  const [http] = JSON.parse(trialSchemaText()).properties.steps.items.anyOf as readonly Kind[];
  expect(http?.properties.burst).toMatchObject({
    anyOf: [{ type: 'integer' }, { type: 'string', pattern: '\\$\\{' }],
    description: expect.stringContaining('barrier'),
  });
});

test.each([
  ['health.symptoms', true],
  ['shop.größen', true],
  ['shop.order-items', true],
  ['!shop.audit.*', true],
  ['shop', false],
  ['shop.a b', false],
  ['shop.{a}', false],
  ['shop.a*', false],
])('a table may have any name: %s', (rows, fits) => {
  expect(checkDocument('rows')?.safeParse({ rows, count: 1 }).success).toBe(fits);
});
