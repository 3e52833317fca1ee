/** A glob of keys as Redis reads it: `*`, `?`, `[a-z]`, and `\` before what is meant as it is. Pure. */

/** The key itself, where nothing in it is special. */
export function plainKey(glob: string): string | undefined {
  const isPlain = !/[*?[]/.test(glob.replaceAll(/\\[\s\S]/g, ''));
  return isPlain ? glob.replaceAll(/\\([\s\S])/g, '$1') : undefined;
}

/** The same as a regular expression. */
export function keyExpression(glob: string): string {
  const parts = glob.match(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|[\s\S]/g) ?? [];
  return `^${parts.map(partExpression).join('')}$`;
}

function partExpression(part: string): string {
  if (part === '*') return '[\\s\\S]*';
  if (part === '?') return '[\\s\\S]';
  if (part.startsWith('[')) return classExpression(part);
  return escaped(part.length > 1 ? part.slice(1) : part);
}

/** A class without an end goes on to the end; an empty one fits nothing. */
function classExpression(part: string): string {
  const inner = part.slice(1).replace(/(?<!\\)\]$/, '');
  const isNot = inner.startsWith('^');
  const members = (isNot ? inner.slice(1) : inner).replaceAll(/\\[\s\S]|[[\]^\\]/g, (one) =>
    escaped(one.length > 1 ? one.slice(1) : one),
  );
  if (members === '') return isNot ? '[\\s\\S]' : '(?!)';
  return `[${isNot ? '^' : ''}${members}]`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
