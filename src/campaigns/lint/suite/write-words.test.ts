import { expect, test } from 'vitest';
import { statementFile, writeIn } from './write-words.ts';

test.each([
  'psql postgres://x -c "INSERT INTO notes VALUES (1)"',
  'docker exec db psql -U app -c "update notes set a = 1"',
  'sqlite3 app.db "DELETE FROM notes"',
  'sh -c psql <<< "TRUNCATE notes"',
  'psql app -c "copy notes (a, b) from stdin"',
  'redis-cli -h cache SET user:1 admin',
  'redis-cli flushall',
  'pg_restore dump.tar',
  "mongosh --eval 'db.notes.insertOne({})'",
])('%s writes', (command) => {
  expect(writeIn(command)).toBeDefined();
});

test.each([
  'psql app -c "SELECT * FROM notes WHERE text = 1"',
  'redis-cli GET user:1',
  'echo insert into the hat',
  'node cli.js update settings set',
  "mongosh --eval 'db.notes.find()'",
  'curl -X DELETE http://localhost/delete/from',
])('%s does not', (command) => {
  expect(writeIn(command)).toBeUndefined();
});

test('statements may be in a file', () => {
  expect(statementFile('psql app -f rows.sql')).toBe('rows.sql');
  expect(statementFile('sqlite3 app.db < rows.sql')).toBe('rows.sql');
  expect(statementFile('cat < rows.sql')).toBeUndefined();
});
