import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { boundariesSchemaText, catalogueSchemaText } from './json-schema.ts';

test.each([
  ['boundaries', boundariesSchemaText],
  ['catalogue', catalogueSchemaText],
])('schema/%s.schema.json is up to date (node scripts/write-schema.ts)', async (name, text) => {
  const file = new URL(`../../schema/${name}.schema.json`, import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(text());
});

test('the schemas have what an editor needs: closed maps, and a description of each key', () => {
  const { properties } = JSON.parse(boundariesSchemaText());
  const boundary = properties.boundaries.items;
  expect(boundary).toMatchObject({ required: ['id'], additionalProperties: false });
  expect(boundary.properties.tiers.properties).toMatchObject({
    1: { enum: ['missing', 'partial', 'covered'] },
    2: { enum: ['missing', 'partial', 'covered'] },
  });
  const risk = JSON.parse(catalogueSchemaText()).properties.risks.items;
  const undescribed = [...Object.entries(boundary.properties), ...Object.entries(risk.properties)].filter(
    ([, property]) => !(property as { description?: string }).description,
  );
  expect(undescribed).toEqual([]);
});
