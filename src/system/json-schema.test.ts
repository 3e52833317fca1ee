import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemSchemaText } from './json-schema.ts';

test('schema/system.schema.json is up to date (node scripts/write-schema.ts)', async () => {
  const file = new URL('../../schema/system.schema.json', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(systemSchemaText());
});

test('the schema has what an editor needs: closed maps, required keys, descriptions', () => {
  const schema = JSON.parse(systemSchemaText());
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
  expect(schema.required).toEqual(['name']);
  expect(schema.additionalProperties).toBe(false);
  const service = schema.properties.services.additionalProperties;
  expect(service.required).toBeUndefined(); // `run`, `image` or `build`
  expect(service.additionalProperties).toBe(false);
  const undescribed = Object.entries(service.properties).filter(
    ([, property]) => !(property as { description?: string }).description,
  );
  expect(undescribed).toEqual([]);
});
