import { expect, test } from 'vitest';
import { variablesHash, variablesIn } from './variables-hash.ts';

test('variables are found wherever a text refers to them, with a default or without', () => {
  const system = {
    services: [{ env: { DEFECT: '${env.DEFECT:-}', URL: 'http://${env.HOST}:${db.port}/"' } }],
    plain: '$${env.NOT} env.NOT_EITHER ${trial.uid}',
  };
  expect([...variablesIn(system)]).toEqual(['DEFECT', 'HOST']);
  expect([...variablesIn(undefined)]).toEqual([]);
});

test('the hash changes with a value, and with nothing else', () => {
  const of = (env: Record<string, string>) => variablesHash(['B', 'A', 'A'], env);
  expect(of({ A: '1', B: '2' })).toMatch(/^[0-9a-f]{16}$/);
  expect(of({ A: '1', B: '2', C: '3' })).toBe(of({ B: '2', A: '1' }));
  expect(of({ A: '1', B: '3' })).not.toBe(of({ A: '1', B: '2' }));
  // Unset and empty are the same to `${env.A:-}`.
  expect(of({ B: '2' })).toBe(of({ A: '', B: '2' }));
  expect(variablesHash([], { A: '1' })).toBeNull();
});
