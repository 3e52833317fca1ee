/** Refuses what cannot be done to a service that is somebody else's, and addresses that may not be reached. */
import { isIP } from 'node:net';
import { Problem } from '../../kernel/problem.ts';
import { hostVariable, isReference, parseReferences } from '../../kernel/references.ts';
import { allowedAddresses, allowNext, entryFault, whyForbidden } from '../attached/allowed-address.ts';
import {
  type AtAddress,
  addressesAt,
  atAddress,
  filledAt,
  isVariable,
  knownSchemes,
  loginReferences,
  plainLogin,
  schemeIn,
} from '../attached/at-address.ts';
import type { ServiceDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, valueAt } from '../source/document-path.ts';
import type { ReferenceCheck } from './reference-problems.ts';

type HostEnv = Readonly<Record<string, string | undefined>>;

/** Everything else says how a service is started, ended, or reset. */
const beside: readonly string[] = ['at', 'allow', 'ready', 'after'];

export function attachedProblems(
  { document, path, name }: ServiceDraft,
  { document: { secrets = [] }, hostEnv, source }: ReferenceCheck,
): Problem[] {
  const { at, allow = {} } = document;
  if (at === undefined) return [];
  return [
    ...Object.keys(document)
      .filter((key) => !beside.includes(key) && document[key as keyof typeof document] !== undefined)
      .map((key) => strayKey([...path, key], name, source)),
    ...unseenProbes(document.ready, [...path, 'ready'], source),
    ...addressesAt(at).flatMap(([listener, written]) => {
      const place = typeof at === 'string' ? [...path, 'at'] : [...path, 'at', listener];
      return addressProblems(written, { place, allow, secrets, hostEnv, source });
    }),
    ...Object.keys(allow).flatMap((entry) => entryProblems(entry, [...path, 'allow', entry], source)),
  ];
}

/** What one trial leaves behind in somebody else's service is there for the next one. */
export function isolationProblems({ document: { isolation }, drafts, source }: ReferenceCheck): Problem[] {
  const attached = drafts.find((draft) => draft.kind === 'service' && draft.document.at !== undefined);
  if (!attached || isolation === undefined || isolation === 'shared') return [];
  return [
    new Problem({
      code: 'config.bad-value',
      where: source.valuePosition(['isolation']),
      what: `\`isolation\` is "${isolation}", and \`${attached.name}\` is somebody else's: it is never restarted or made fresh`,
      allowed: 'shared, in a system with a service that has `at`',
      next: 'write `isolation: shared`, or leave it out',
    }),
  ];
}

function strayKey(path: DocumentPath, service: string, source: ConfigSource): Problem {
  const key = String(path.at(-1));
  return new Problem({
    code: 'config.bad-value',
    where: source.keyPosition(path),
    what: `it has both \`at\` and \`${key}\`: what is at an address was started by somebody else, and \`${key}\` says how \`${service}\` is run`,
    allowed: `beside \`at\`: ${beside.slice(1).join(', ')}`,
    next: `remove \`${key}\`, or \`at\``,
  });
}

/** Its program, its log and its container are somewhere else. */
function unseenProbes(ready: unknown, path: DocumentPath, source: ConfigSource): Problem[] {
  if (typeof ready !== 'object' || ready === null) return [];
  return Object.keys(ready).flatMap((key) => {
    const inner = valueAt(ready, [key]);
    if (Array.isArray(inner) && ['allOf', 'anyOf'].includes(key))
      return inner.flatMap((condition, at) => unseenProbes(condition, [...path, key, at], source));
    if (!['log', 'command', 'health'].includes(key)) return [];
    return new Problem({
      code: 'config.bad-value',
      where: source.keyPosition([...path, key]),
      what: `\`${key}\` looks at the program of a service, and this one is somebody else's`,
      allowed: 'http, tcp, handshake, for a service that has `at`',
      next: "write `http: '/health'`, or leave `ready` out",
    });
  });
}

interface AddressScope {
  readonly place: DocumentPath;
  readonly allow: Readonly<Record<string, string>>;
  /** Names of the variables that are declared so. */
  readonly secrets: readonly string[];
  readonly hostEnv: HostEnv;
  readonly source: ConfigSource;
}

/** Names are resolved when the system boots; an unset variable is reported where references are. */
function addressProblems(
  written: string,
  { place, allow, secrets, hostEnv, source }: AddressScope,
): Problem[] {
  const wrong = (what: string, allowed: string, next: string): Problem[] => [
    new Problem({ code: 'config.bad-value', where: source.valuePosition(place), what, allowed, next }),
  ];
  const schemes = `an address that begins with ${knownSchemes.map((scheme) => `${scheme}://`).join(', ')}`;
  if (schemeIn(written) === undefined)
    return wrong(
      `\`at\` is ${shown(written)}`,
      schemes,
      'write `http://HOST:PORT`, also with variables: `http://${env.HOST}`',
    );
  const other = parseReferences(written).find((part) => isReference(part) && part.path[0] !== 'env');
  if (other && isReference(other))
    return wrong(
      `\`\${${other.reference}}\` is a part of this system, and what has \`at\` is not`,
      '`${env.NAME}`',
      'write the address, or take it from an environment variable',
    );
  if (plainLogin(written) !== undefined)
    return wrong(
      'a password stands in the address; it is not shown here',
      'a password from an environment variable, which never reaches a file',
      'write `${env.NAME}` in its place, and export NAME=…',
    );
  const filled = filledAt(written, hostEnv);
  if (filled === undefined) return [];
  if (loginReferences(written).some((part) => /[/?#]/.test(hostVariable(part, hostEnv) ?? '')))
    return wrong(
      'a variable of the login holds `/`, `?` or `#`, where a login ends; it is not shown here',
      'a user and a password that are percent-encoded: `%2F`, `%3F`, `%23`',
      'export what this prints: node -p "encodeURIComponent(process.env.NAME)"',
    );
  const address = atAddress(filled);
  if (isVariable(written) && address?.scheme !== 'http')
    return wrong(
      'the address comes from a variable as a whole, and does not begin with http:// or https://',
      schemes,
      'write what is spoken in front: `postgres://${env.HOST}:5432`',
    );
  if (isVariable(written) && address && address.login !== '' && !isHidden(written, secrets))
    return wrong(
      'the variable holds a login, and is not declared as a secret',
      'a variable that is listed under `secrets`, whose value never reaches a file',
      'add it to `secrets`, or write `http://user:${env.PASSWORD}@HOST:PORT`',
    );
  if (!address)
    return wrong(
      `\`at\` is ${shown(written)}, which has no host or no port`,
      schemes,
      'write `http://HOST:PORT`',
    );
  return [...pathProblems(address, wrong), ...reachProblems(address, allow, wrong)];
}

function isHidden(written: string, secrets: readonly string[]): boolean {
  return parseReferences(written).some((part) => isReference(part) && secrets.includes(part.path[1] ?? ''));
}

type Wrong = (what: string, allowed: string, next: string) => Problem[];

function pathProblems({ scheme, rest }: AtAddress, wrong: Wrong): Problem[] {
  if (scheme !== 'http' || rest === '') return [];
  const path = rest.replace(/[?#].*/s, '');
  const more = path === rest ? '' : ' and what follows it, which is not shown here';
  return wrong(
    `\`at\` goes on with a path, ${shown(path)}${more}`,
    'an address that ends with its port: paths belong to those who call',
    'leave the path out; write `${NAME.url}/path` where it is used, and whole paths in steps',
  );
}

function reachProblems(address: AtAddress, allow: AddressScope['allow'], wrong: Wrong): Problem[] {
  if (isIP(address.host) === 0) return [];
  const why = whyForbidden(address.host, address, allow);
  return why === undefined ? [] : wrong(why, allowedAddresses, allowNext([address.host], address));
}

function entryProblems(entry: string, path: DocumentPath, source: ConfigSource): Problem[] {
  const fault = entryFault(entry);
  if (fault === undefined) return [];
  return [
    new Problem({
      code: 'config.bad-value',
      where: source.keyPosition(path),
      what: `${JSON.stringify(entry)} ${fault}, and cannot be allowed`,
      allowed: 'a host or an address, alone or with a port, or a network of at least 8 bits: `10.1.0.0/16`',
      next: 'name what `at` leads to',
    }),
  ];
}

/** As it is written: a variable may be secret. */
function shown(written: string): string {
  return JSON.stringify(written);
}
