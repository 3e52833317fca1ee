/** Reads the URL of a Redis: its address, its user, and the database that it names. */
import { Problem } from '../../kernel/problem.ts';

export interface RedisTarget {
  readonly address: { readonly host: string; readonly port: number };
  /** Empty where there is none. */
  readonly user: string;
  readonly password: string;
  readonly database: number;
}

interface ReadTarget extends RedisTarget {
  /** The URL names its database. */
  readonly isNamed: boolean;
}

export function redisTarget(where: string, text: string): ReadTarget {
  const url = URL.parse(text);
  if (url?.protocol === 'rediss:' || url?.protocol === 'valkeys:') throw noTls(where);
  const [, number] = /^\/?(\d{0,5})$/.exec(url?.pathname ?? '-') ?? [];
  const login = url && loginIn(url);
  if (!login || !/^(?:redis|valkey):$/.test(url.protocol) || url.hostname === '' || number === undefined)
    throw badUrl(where);
  return {
    address: { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || '6379') },
    ...login,
    database: Number(number),
    isNamed: number !== '',
  };
}

function loginIn({ username, password }: URL): Pick<RedisTarget, 'user' | 'password'> | undefined {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined; // a % that begins no escape
  }
}

export function redisUrl({ address, user, password, database }: RedisTarget): string {
  const { host, port } = address;
  const login = password === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `redis://${login}${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

/** An invalid URL is not repeated in the error: it may hold the password. */
function badUrl(where: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: '`url` is not the URL of a Redis on a host (its text is not shown, because it may hold a password)',
    allowed: 'redis://user:password@host:6379/15, special characters percent-encoded',
    next: 'correct `url`, or leave it out for a server of the environment’s own',
  });
}

function noTls(where: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: '`url` asks for TLS, which taps cannot read',
    allowed: 'redis://, to a server that accepts connections without TLS',
    next: 'leave `url` out for a server of the environment’s own, or name one without TLS',
  });
}
