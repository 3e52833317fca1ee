/** The address of a service that is attached: as written, filled in, and taken apart. Pure. */
import { isIP } from 'node:net';
import { usualHost } from '../../kernel/ip-address.ts';
import { isMap } from '../../kernel/is-map.ts';
import { hostVariable, isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';

export interface AtAddress {
  /** What its consumers speak to the tap: `http` for `https`. */
  readonly scheme: string;
  /** The tap speaks TLS to it. */
  readonly isSecure: boolean;
  /** A name, or an address in its usual spelling. */
  readonly host: string;
  readonly port: number;
  /** `user:password@`, or nothing. */
  readonly login: string;
  /** The path and the query, or nothing. */
  readonly rest: string;
  /** `https://staging:8443`: without what may be secret. */
  readonly origin: string;
  /** As clients write it into `Host`: without the usual port. */
  readonly authority: string;
}

interface SchemeFacts {
  /** What is spoken within TLS. */
  readonly inside?: string;
  readonly port?: number;
}

const schemes: Readonly<Record<string, SchemeFacts>> = {
  http: { port: 80 },
  https: { inside: 'http', port: 443 },
  tcp: {},
  tls: { inside: 'tcp' },
  redis: { port: 6379 },
  rediss: { inside: 'redis', port: 6379 },
  postgres: { port: 5432 },
  postgresql: { port: 5432 },
};

export const knownSchemes = Object.keys(schemes);

/** The words before `://` decide how the edge is read; where the whole address is a variable, it is taken for `http`. */
export function schemeIn(written: string): string | undefined {
  if (isVariable(written)) return 'http';
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\//.exec(written) ?? [];
  return knownSchemes.includes(scheme) ? scheme : undefined;
}

/** `${env.STAGING_URL}` */
export function isVariable(written: string): boolean {
  return written.startsWith('${env.');
}

/** What is spoken on the edge to it. */
export function spokenAt(written: string): string {
  const scheme = schemeIn(written) ?? 'tcp';
  return schemes[scheme]?.inside ?? scheme;
}

const parts = /^([a-z]+):\/\/((?:[^/?#]*@)?)(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?((?:[/?#].*)?)$/i;

/** Undefined where it is none, or has no port. */
export function atAddress(filled: string): AtAddress | undefined {
  const [, scheme = '', login = '', host = '', written, rest = ''] = parts.exec(filled) ?? [];
  const facts = schemes[scheme];
  const port = written === undefined ? facts?.port : Number(written);
  if (facts === undefined || port === undefined || port < 1 || port > 65_535) return undefined;
  const usual = usualHost(host);
  const shown = isIP(usual) === 6 ? `[${usual}]` : usual;
  return {
    scheme: facts.inside ?? scheme,
    isSecure: facts.inside !== undefined,
    host: usual,
    port,
    login,
    rest: rest === '/' ? '' : rest,
    origin: `${scheme}://${shown}:${port}`,
    authority: port === facts.port ? shown : `${shown}:${port}`,
  };
}

/** With the variables of the machine; undefined where one has no value. */
export function filledAt(
  written: string,
  hostEnv: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const filled = parseReferences(written).map((part) => {
    if (!isReference(part)) return part.text;
    return part.path[0] === 'env' ? hostVariable(part, hostEnv) : undefined;
  });
  return filled.includes(undefined) ? undefined : filled.join('');
}

/** The references before its `@`. */
export function loginReferences(written: string): readonly ReferencePart[] {
  const end = loginOf(masked(written)).length;
  return parseReferences(written)
    .filter(isReference)
    .filter(({ offset }) => offset < end);
}

/** The login, where its password is written as it is, and not taken from a variable. */
export function plainLogin(written: string): string | undefined {
  for (const part of parseReferences(written)) {
    const inFallback = isReference(part) && plainLogin(part.fallback ?? '');
    if (inFallback) return inFallback;
  }
  const login = loginOf(masked(written));
  const [, password = ''] = /^[^:]*:\/\/[^:]*:(.*)@$/.exec(login) ?? [];
  const isPlain =
    password.replaceAll(blank, '') !== '' || loginReferences(written).some((part) => part.fallback);
  return isPlain ? written.slice(written.indexOf('://') + 3, login.length) : undefined;
}

/** Up to the `@`, or nothing. */
function loginOf(text: string): string {
  return /^[^:]*:\/\/[^/?#]*@/.exec(text)?.[0] ?? '';
}

const blank = '\0';

/** With blanks in place of its references. */
function masked(written: string): string {
  return parseReferences(written)
    .map((part) => (isReference(part) ? blank.repeat(part.length) : part.text))
    .join('');
}

/** One address, or several by the names of listeners. */
export type AtDocument = string | Readonly<Record<string, string>>;

export function addressesAt(at: AtDocument): ReadonlyArray<readonly [name: string, written: string]> {
  return typeof at === 'string' ? [['main', at]] : Object.entries(at);
}

/** Names of the variables with its login, which are secrets even where they are not declared so. */
export function loginVariables(written: string): readonly string[] {
  return loginReferences(written).flatMap(({ path: [head, name] }) => (head === 'env' && name ? [name] : []));
}

/** Every address of a document that is perhaps not valid. */
export function attachedAddresses(document: unknown): readonly string[] {
  const of = (value: unknown, key: string): unknown => (isMap(value) ? value[key] : undefined);
  const valuesOf = (value: unknown): unknown[] => (isMap(value) ? Object.values(value) : []);
  const services = [
    ...valuesOf(of(document, 'services')),
    ...valuesOf(of(document, 'rosters')).map((roster) => of(roster, 'service')),
  ];
  return services
    .map((service) => of(service, 'at'))
    .flatMap((at) => (typeof at === 'string' ? [at] : valuesOf(at)))
    .filter((at) => typeof at === 'string');
}
