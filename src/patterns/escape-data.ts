/** Escapes a value for the text that it becomes a part of, so that nothing in it has a meaning there. Pure. */

/** How a text is read: as a regular expression, as a glob of paths, or with `*` for any characters. */
export type TextForm = 'expression' | 'glob' | 'stars';

/** `before` is what comes before the value. */
export function escapeFor(form: TextForm, value: string, before: string): string {
  if (form === 'expression' && isInClass(before)) return value.replaceAll(/[!-/:-@[-`{-~]/g, asHex);
  return value.replaceAll(special[form], (found) => (found.length > 1 ? found : `\\${found}`));
}

const special: Readonly<Record<TextForm, RegExp>> = {
  // The token of a secret stands for its text, and is recognised by its own.
  expression: /‹secret:[^›]{1,400}›|[\\^$.*+?()[\]{}|]/g,
  glob: /[\\*?[\]{},]/g,
  stars: /[\\*]/g,
};

/** In `[…]` other characters are special, such as `-`. */
function isInClass(before: string): boolean {
  const plain = before.replaceAll(/\\./gs, '');
  return plain.lastIndexOf('[') > plain.lastIndexOf(']');
}

function asHex(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16)}`;
}
