/** How writes that bypass the system are recognized: statements, programs, clients of stores. */

/** Packages that access a store directly. */
export const databaseClients: readonly string[] = [
  ...[
    'pg',
    'postgres',
    'pg-promise',
    'mysql',
    'mysql2',
    'mariadb',
    'sqlite3',
    'better-sqlite3',
    'node:sqlite',
  ],
  ...['redis', 'ioredis', 'mongodb', 'mongoose', 'knex', 'typeorm', 'drizzle-orm'],
  ...['@prisma/client', '@aws-sdk/client-s3', '@aws-sdk/client-dynamodb'],
];

const statements =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|truncate\b|merge\s+into|alter\s+table|drop\s+(?:table|schema|database|index|view)|create\s+(?:table|schema|database|index)|copy\s+\S+(?:\s*\([^)]*\))?\s+from)\b/i;

const sqlPrograms = /(?:^|[\s/;&|('"`])(?:psql|mysql|mariadb|sqlite3|duckdb|cockroach|usql)(?=\s|$)/;

const restorers =
  /(?:^|[\s/;&|('"`])(?:pg_restore|dropdb|createdb|mysqlimport|mongorestore|mongoimport)(?=\s|$)/;

const redisWrites =
  /(?:^|[\s/;&|('"`])(?:redis-cli|valkey-cli)\s(?:.*\s)?(?:set|setex|setnx|mset|getset|incr|incrby|decr|append|del|unlink|hset|hmset|hdel|lpush|rpush|lpop|rpop|sadd|srem|zadd|zrem|xadd|xdel|expire|rename|flushall|flushdb|publish|eval|restore|json\.set)(?=\s|$)/i;

const mongoWrites =
  /(?:^|[\s/;&|('"`])mongo(?:sh)?\s.*\.(?:insert|update|replace|delete|remove|drop|save|bulkWrite)\w*\s*\(/s;

/** What a command does to a store, in a few words; undefined if nothing, or only reads. */
export function writeIn(command: string): string | undefined {
  const statement = sqlPrograms.test(command) ? statementIn(command) : undefined;
  if (statement !== undefined) return `it sends ${JSON.stringify(statement)} to a database`;
  const restorer = restorers.exec(command)?.[0].trim();
  if (restorer !== undefined) return `it runs ${restorer}`;
  if (redisWrites.test(command)) return 'it writes to a key-value store';
  return mongoWrites.test(command) ? 'it writes to a document store' : undefined;
}

/** The first words of a statement that changes something. */
export function statementIn(text: string): string | undefined {
  const found = statements.exec(text);
  return found?.[0].replaceAll(/\s+/g, ' ');
}

/** For an SQL program: the file from which it reads statements. */
export function statementFile(command: string): string | undefined {
  if (!sqlPrograms.test(command)) return undefined;
  const [, byOption, byInput] = /\s(?:-f|--file[= ])\s*(\S+)|<\s*([^\s<|;&]+)/.exec(command) ?? [];
  return byOption ?? byInput;
}
