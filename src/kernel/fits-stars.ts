/** Texts in which `*` matches any characters, and `\*` is one; whatever the pattern, each character is looked at a few times at most. */
export function fitsStars(pattern: string, text: string): boolean {
  const [first = '', ...others] = betweenStars(pattern);
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The literal texts before, between and after the stars. */
export function betweenStars(pattern: string): readonly string[] {
  const parts = pattern.match(/\\[\\*]|\*|[^\\*]+|\\/g) ?? [];
  const texts = [''];
  for (const part of parts)
    if (part === '*') texts.push('');
    else texts.push(`${texts.pop() ?? ''}${/^\\[\\*]$/.test(part) ? part.slice(1) : part}`);
  return texts;
}
