/** The operator for a signed message: `$hmac`. What it says never has the key in it. */
import { createHmac } from 'node:crypto';
import { parseExactJson } from '../../kernel/exact-json.ts';
import type { Mismatch } from '../match-result.ts';
import { childPlace, mismatchAt, notAMap, type Place } from '../place.ts';
import { isPlainMap } from '../plain-value.ts';
import { signedBody } from '../signed-body.ts';
import { parsePath } from '../value-path.ts';
import { withheldAt } from '../withheld.ts';
import { checkHmac, type HmacOperand, isFieldName, namesIn, placeholder } from './hmac-operand.ts';
import type { Matching, Operator } from './operator.ts';

export const hmacOperator: Operator = {
  name: '$hmac',
  takes:
    'a map for a request or an answer: `key` and `in`, the place of the signature such as headers.x-hub-signature-256, and if you want `prefix`, `field`, `of`, `algorithm`, `encoding`, `keyEncoding`',
  check: checkHmac,
  describe: (operand) => {
    const { in: at, of = '{body}', algorithm = 'sha256' } = operand as HmacOperand;
    return `a message with the HMAC-${algorithm.toUpperCase()} of ${of} in ${at}`;
  },
  match: (operand, place, matching) => {
    if (!isPlainMap(place.value)) {
      matching.read(place);
      return [notAMap(place, hmacOperator.describe(operand, matching.describe))];
    }
    return matchSignature(operand as HmacOperand, place, matching);
  },
};

function matchSignature(operand: HmacOperand, message: Place, matching: Matching): readonly Mismatch[] {
  const at = placeIn(message, operand.in);
  matching.read(at);
  const expected = hmacOperator.describe(operand, matching.describe);
  if (typeof at.value !== 'string') return [mismatchAt(at, expected)];
  const open = withheldAt({ ...at, value: operand.key });
  if (open !== undefined) return [{ ...mismatchAt(at, expected), open: `${open}: ${ownKey}` }];
  const found = foundIn(at.value, operand);
  const signed = signedText(operand, found.fields, message, matching);
  if ('missing' in signed) return [mismatchAt(signed.missing, 'a part of what is signed')];
  const unknown = withheldAt(at) ?? ('open' in signed ? signed.open : undefined);
  if (unknown !== undefined || 'open' in signed)
    return [{ ...mismatchAt(at, expected), ...(unknown === undefined ? {} : { open: unknown }) }];
  const right = `${operand.prefix ?? ''}${digest(operand, signed.text)}`;
  if (found.signatures.includes(right)) return bodyAsShown(message, matching);
  return [mismatchAt(at, `${right}, the ${expected.replace('a message with the ', '')}`)];
}

const ownKey = 'give the check a key of the test’s own, or ask for the signature in `where` of a line';

function placeIn(message: Place, path: string): Place {
  return (parsePath(path) ?? []).reduce<Place>(childPlace, message);
}

/** The signature and what is beside it; several of them, as while a key is changed, are all looked at. */
function foundIn(
  written: string,
  { field }: HmacOperand,
): { readonly signatures: readonly string[]; readonly fields: ReadonlyMap<string, string> } {
  if (field === undefined) return { signatures: [written, ...written.split(' ')], fields: new Map() };
  const pairs = written.split(/[,;]/).flatMap((part): readonly (readonly [string, string])[] => {
    const [, name, value] = /^\s*([^=\s]+)=(.*?)\s*$/.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return {
    signatures: pairs.flatMap(([name, value]) => (name === field ? [value] : [])),
    fields: new Map(pairs),
  };
}

type Signed = { readonly text: string } | { readonly open: string } | { readonly missing: Place };

/** A receiver that misses a part takes no signature for right. */
function signedText(
  { of = '{body}', in: operandIn }: HmacOperand,
  fields: ReadonlyMap<string, string>,
  message: Place,
  matching: Matching,
): Signed {
  const parts = new Map<string, string>();
  for (const name of namesIn(of)) {
    if (isFieldName(name)) {
      const field = fields.get(name);
      if (field === undefined) return { missing: { path: `${operandIn}, field ${name}`, value: undefined } };
      parts.set(name, field);
    } else if (name === 'body') {
      const body = signedBody(message);
      if ('open' in body) return body;
      matching.read(body.from);
      parts.set(name, body.text);
    } else {
      const at = placeIn(message, name);
      matching.read(at);
      const open = withheldAt(at);
      if (open !== undefined) return { open };
      if (at.value === undefined || at.value === null) return { missing: at };
      parts.set(name, String(at.value));
    }
  }
  return { text: of.replaceAll(placeholder, (_, name: string) => parts.get(name) ?? '') };
}

function digest(
  { key, keyEncoding, algorithm = 'sha256', encoding = 'hex' }: HmacOperand,
  signed: string,
): string {
  const bytes = keyEncoding === undefined ? key : Buffer.from(key, keyEncoding);
  return createHmac(algorithm, bytes).update(signed).digest(encoding);
}

/** The JSON that is shown must be the JSON that was signed. */
function bodyAsShown(message: Place, matching: Matching): readonly Mismatch[] {
  const [raw, json] = ['rawBody', 'json'].map((key) => childPlace(message, key)) as [Place, Place];
  if (typeof raw.value !== 'string' || json.value === undefined) return [];
  return matching.equal(parseExactJson(raw.value), json);
}
