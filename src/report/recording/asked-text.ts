/** The text with which a model was asked, as `when` of a script has it: the last message of the user, in whatever dialect. Pure. */
import { isMap } from '../../kernel/is-map.ts';

/** Undefined where there is none, or where it has several parts, which each dialect joins in its own way. */
export function askedText(body: unknown): string | undefined {
  if (!isMap(body)) return undefined;
  const said = body.messages ?? body.input ?? body.contents;
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return undefined;
  const texts = said
    .filter((message) => isMap(message) && (message.role ?? 'user') === 'user')
    .map(({ content, parts }) => textsOf(content ?? parts))
    .findLast((found) => found.length > 0);
  return texts?.length === 1 ? texts[0] : undefined;
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isMap(part) && typeof part.text === 'string' ? [part.text] : []));
}
