/** Cuts a text into pieces, as a model sends it: never inside a surrogate pair. */

/** No piece for an empty text. A piece has at least one character, whatever is asked. */
export function cutText(text: string, mostChars: number): string[] {
  const size = Math.max(1, Math.floor(mostChars));
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + size, text.length);
    if (end < text.length && isPair(text, end)) end += 1;
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

function isPair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
