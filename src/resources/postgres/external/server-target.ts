/** Reads the URL of the user's own server: its address, its user, and how connections are protected. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { defined } from '../../../kernel/defined.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Variables } from '../../resource.ts';
import type { PostgresLogin, ServerAddress } from '../postgres-server.ts';

export interface ServerTarget {
  readonly where: string;
  readonly address: ServerAddress;
  readonly login: PostgresLogin;
  /** False: plain TCP. */
  readonly ssl: false | ConnectionOptions;
  /** For the URLs of consumers. */
  readonly urlParameters: Readonly<Record<string, string>>;
}

/** Query parameters that a consumer needs too; all others of the user's URL are about our own connection. */
const sharedParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'channel_binding'];

export function serverTarget(where: string, urlText: string, hostEnv: Variables): ServerTarget {
  const url = parseUrl(where, urlText, hostEnv);
  const user = decodeURIComponent(url.username) || hostEnv.PGUSER || hostEnv.USER || 'postgres';
  return {
    where,
    address: { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || '5432') },
    login: {
      user,
      password: decodeURIComponent(url.password) || hostEnv.PGPASSWORD || '',
      database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    },
    ssl: tlsOptions(where, url.searchParams),
    urlParameters: consumerParameters(url.searchParams),
  };
}

/** An invalid URL is not repeated in the error: it holds the password. */
function parseUrl(where: string, urlText: string, hostEnv: Variables): URL {
  const text = urlText.replaceAll(/\$\{env\.(\w+)\}/g, (_, name: string) => hostEnv[name] ?? '');
  const url = URL.parse(text);
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== '' && decodes(url)) return url;
  throw new Problem({
    code: 'config.bad-value',
    where,
    what: '`url` is not the URL of a PostgreSQL server on a host (its text is not shown, because it may hold a password)',
    allowed:
      'postgresql://user:password@host:5432/database?sslmode=require, one host, special characters percent-encoded',
    next: 'correct `url`, or leave it out to use the embedded server',
  });
}

function decodes({ username, password, pathname }: URL): boolean {
  try {
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** The names mean what libpq means by them. */
function tlsOptions(where: string, parameters: URLSearchParams): false | ConnectionOptions {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false;
  const file = (name: string): string | undefined => {
    const value = parameters.get(name);
    return value === null || value === 'system' ? undefined : readCertificate(where, name, value);
  };
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')];
  return {
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...defined({ ca, cert, key }),
  };
}

function readCertificate(where: string, name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Problem({
      code: 'config.bad-value',
      where,
      what: `\`${name}\` in the url names ${file}, which cannot be read`,
      allowed: 'a PEM file, or `sslrootcert=system`',
      next: `correct \`${name}\` in the url`,
      cause: error,
    });
  }
}

/**
 * A consumer meets the server under the tap's address, which no certificate names. We check the host name ourselves,
 * on our own connection; the consumer still checks the certificate's chain.
 */
function consumerParameters(parameters: URLSearchParams): Readonly<Record<string, string>> {
  const shared = sharedParameters.flatMap((name) => {
    const value = parameters.get(name);
    return value === null
      ? []
      : [[name, name === 'sslmode' && value === 'verify-full' ? 'verify-ca' : value] as const];
  });
  return Object.fromEntries(shared);
}
