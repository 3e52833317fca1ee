import { expect, test } from 'vitest';
import { defineSystem, model, postgres, ref, type SystemDocument, sqlite } from '../index.ts';

test('the functions that a config imports return plain data', () => {
  expect(postgres()).toEqual({ kind: 'postgres' });
  expect(postgres({ schemaPerService: true })).toEqual({ kind: 'postgres', schemaPerService: true });
  expect(model({ mode: 'script' })).toEqual({ kind: 'model', mode: 'script' });
  expect(model()).toEqual({ kind: 'model' });
  expect(ref('butlers.*.url')).toBe('${butlers.*.url}');
  const document: SystemDocument = {
    name: 'a',
    resources: { db: postgres(), file: sqlite() },
    volumes: { inbox: {} },
  };
  expect(defineSystem(document)).toBe(document);
});

test('the type knows the keys', () => {
  // @ts-expect-error a misspelt key
  defineSystem({ name: 'a', service: {} });
  // @ts-expect-error a key that does not exist
  defineSystem({ name: 'a', services: { web: { image: 'a', mount: [] } } });
  // @ts-expect-error a probe that does not exist
  expect(defineSystem({ name: 'a', services: { web: { run: 'x', ready: { htpp: '/' } } } })).toBeDefined();
});
