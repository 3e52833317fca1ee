/** What an answer or a callback may repeat of a request: ids and secrets, mapped to references. Pure. */

import { isSecretField } from '../../journal/secret-fields.ts';
import { idsIn } from '../../journal/steady-value.ts';
import { isContainer } from '../../kernel/exact-json.ts';

export function echoesOf(
  json: unknown,
  place = 'request.json',
  name = '',
): readonly (readonly [text: string, reference: string])[] {
  if (typeof json === 'string')
    return json !== '' && (idsIn(json)[0] === json || isSecretField(name)) ? [[json, `\${${place}}`]] : [];
  if (Array.isArray(json)) return json.flatMap((item, index) => echoesOf(item, `${place}.${index}`));
  if (!isContainer(json)) return [];
  return Object.entries(json).flatMap(([key, inner]) =>
    /^[\w-]+$/.test(key) ? echoesOf(inner, `${place}.${key}`, key) : [],
  );
}
