import { expect, test } from 'vitest';
import { postgresDriver } from '../src/resources/postgres/postgres-driver.ts';
import { resourceReferences } from '../src/system/check/known-names.ts';

test('what the config may say of a resource is what its driver offers', () => {
  expect([...resourceReferences.postgres].sort()).toEqual([...postgresDriver.referenceNames].sort());
});
