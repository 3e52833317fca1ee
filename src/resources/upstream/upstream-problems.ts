/** What is wrong with the address of a real peer, and with the key to it. */
import { Problem } from '../../kernel/problem.ts';
import type { Variables } from '../resource.ts';

interface Behind {
  readonly url: string;
  /** The variable that holds the key; absent where none is needed. */
  readonly key?: string | undefined;
}

interface Words {
  /** An address as it may be. */
  readonly address: string;
  /** Whose key it is: `the provider`. */
  readonly keeper: string;
}

export function upstreamProblems(
  where: string,
  { url, key }: Behind,
  hostEnv: Variables,
  words: Words,
): readonly Problem[] {
  return [
    ...(isAddress(url) ? [] : [badAddress(where, url, words)]),
    ...(key === undefined || hostEnv[key] ? [] : [noKey(where, key, words)]),
  ];
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function badAddress(where: string, url: string, { address }: Words): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the url is ${JSON.stringify(url)}`,
    allowed: `an address such as ${address}`,
    next: 'correct the url',
  });
}

function noKey(where: string, key: string, { keeper }: Words): Problem {
  return new Problem({
    code: 'config.unknown-variable',
    where,
    what: `the environment variable ${shownVariable(key)} is not set, or empty`,
    allowed: `a variable that holds the key to ${keeper}`,
    next: `export ${shownVariable(key)}=…, or use mode script or cassette`,
  });
}

/** A key written in place of a variable's name may look like a name; names of variables are in capitals. */
function shownVariable(name: string): string {
  return /^[A-Z_][A-Z0-9_]*$/.test(name) || name.length < 12 ? name : `${name.slice(0, 4)}…`;
}
