/** What a team's env files say that a program needs: databases become resources, the rest is named in a comment. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseDotenv } from '../compose/dotenv.ts';
import { readText } from '../source/read-text.ts';

export interface ProjectVariables {
  readonly resources: Readonly<Record<string, unknown>>;
  /** Variables with the address of a resource. */
  readonly env: Readonly<Record<string, string>>;
  readonly comments: readonly string[];
}

const names = ['.env', '.env.example', '.env.sample', '.env.template'];
const stores = [
  { scheme: /^(postgres(?:ql)?(?:\+\w+)?):/, name: 'db', kind: 'postgres' },
  { scheme: /^(rediss?|valkey):/, name: 'cache', kind: 'redis' },
];

/** Their values stay where they are: some are secrets, and some lead to what must not be tested. */
export async function projectVariables(folder: string): Promise<ProjectVariables> {
  const resources: Record<string, unknown> = {};
  const env: Record<string, string> = {};
  const open = new Map<string, string>();
  for (const name of names.filter((one) => existsSync(path.join(folder, one)))) {
    const text = await readText(path.join(folder, name), {
      noun: 'env file',
      unreadable: 'config.unreadable',
    });
    for (const [variable, value] of parseDotenv(text, () => undefined).variables) {
      const store = stores.find(({ scheme }) => scheme.test(value));
      if (store !== undefined && !env[variable]) {
        resources[store.name] = { kind: store.kind };
        env[variable] = addressOf(store.name, store.scheme.exec(value)?.[1] ?? '');
      } else if (store === undefined && variable !== 'PORT' && !open.has(variable)) open.set(variable, name);
    }
  }
  const unread = [...Map.groupBy(open, ([, name]) => name)].map(
    ([name, found]) =>
      `? In ${name}, which is not read here: ${found.map(([one]) => one).join(', ')}. What is needed goes under env.`,
  );
  return { resources, env, comments: unread };
}

/** A driver that is named in the scheme stays named: `postgresql+asyncpg`. */
function addressOf(name: string, scheme: string): string {
  if (!scheme.includes('+')) return `\${${name}.url}`;
  const part = (key: string): string => `\${${name}.${key}}`;
  return `${scheme}://${part('user')}:${part('password')}@${part('host')}:${part('port')}/${part('database')}`;
}
