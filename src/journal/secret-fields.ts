/** Fields that hold credentials, recognized by their names, whether or not declared as a secret. Pure. */
import { isContainer } from '../kernel/exact-json.ts';
import { secretToken } from './redaction.ts';

/** `access_token`, `clientSecret`, `X-Api-Key`; not `next_page_token`, which is not a credential. */
export function isSecretField(name: string): boolean {
  return names.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

const names: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'secret',
  'clientsecret',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'sessiontoken',
  'bearertoken',
  'apikey',
  'apitoken',
  'apisecret',
  'xapikey',
  'secretkey',
  'privatekey',
  'authorization',
  'credential',
  'credentials',
]);

/** The same value with a token in place of each text in such a field; what is a token already stays. */
export function redactSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactSecretFields);
  if (!isContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && isHidden(name, inner) ? secretToken(name) : redactSecretFields(inner),
    ]),
  );
}

function isHidden(name: string, text: string): boolean {
  return isSecretField(name) && text !== '' && !text.includes('‹secret:');
}

/** The same value without such fields, where a secret would be compared. */
export function withoutSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretFields);
  if (!isContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      isSecretField(name) && typeof inner === 'string' ? [] : [[name, withoutSecretFields(inner)]],
    ),
  );
}

/** What such fields hold, each with the name of its field. */
export function secretsInFields(value: unknown): readonly (readonly [name: string, secret: string])[] {
  if (Array.isArray(value)) return value.flatMap(secretsInFields);
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && isHidden(name, inner) ? [[name, inner] as const] : secretsInFields(inner),
  );
}
