import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteName, quoteText, roleNames, schemaNames, sqlName } from './sql-names.ts';

test('a name becomes what PostgreSQL takes without quotes', () => {
  expect(sqlName('Home-Keeper.2')).toBe('home_keeper_2');
  expect(sqlName('x'.repeat(63))).toBe('x'.repeat(63));
  expect(sqlName('x'.repeat(64))).toMatch(/^x{54}_[0-9a-f]{8}$/);
});

test('twins and taken names step aside, others keep their own', () => {
  expect([...roleNames('', ['a-b', 'a_b', 'main', 'chef', 'pg-x'])]).toEqual([
    ['a-b', 'a_b'],
    ['a_b', 'a_b_2'],
    ['main', 'main_2'],
    ['chef', 'chef'],
    ['pg-x', 'service_pg_x'],
  ]);
  expect(roleNames('shk_k_db_', ['postgres', 'owner']).get('owner')).toBe('shk_k_db_owner_2');
  expect([...schemaNames(['main', 'public']).values()]).toEqual(['main', 'public_2']);
});

test('any services at all get different names of at most 63 bytes', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(names, fc.constantFrom('', `shk_${'l'.repeat(50)}_`), (services, prefix) => {
      const made = [...roleNames(prefix, services).values()];
      expect(new Set(made).size).toBe(services.length);
      for (const name of made) expect(name).toMatch(/^(?!pg_)[a-z0-9_]{1,63}$/);
    }),
  );
});

test('quotes cannot be left', () => {
  expect(quoteName('a"; DROP ROLE x; --')).toBe('"a""; DROP ROLE x; --"');
  expect(quoteText("it's")).toBe("'it''s'");
  expect(quoteText("back\\'slash")).toBe(" E'back\\\\''slash'");
});
