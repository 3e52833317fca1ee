/** Splits the text of a command into words, as Docker Compose does. Pure. */

export interface ShellWords {
  readonly words: readonly string[];
  /** From the first `;`, `&`, `|`, `<` or `>` on: no shell reads it, and Docker Compose drops it, too. */
  readonly dropped: string;
}

/** Undefined when a quote is never closed. */
export function shellWords(text: string): ShellWords | undefined {
  const words: string[] = [];
  let word = '';
  let isWord = false;
  let at = 0;
  while (at < text.length) {
    const letter = text[at] as string;
    if (letter === "'" || letter === '"') {
      const end = closingQuote(text, at + 1, letter);
      if (end === undefined) return undefined;
      const inside = text.slice(at + 1, end);
      word += letter === '"' ? inside.replaceAll(/\\(.)/gs, '$1') : inside;
      isWord = true;
      at = end;
    } else if (letter === '\\' && at + 1 < text.length) {
      at += 1;
      word += text[at];
      isWord = true;
    } else if (/[;&|<>]/.test(letter)) {
      return { words: isWord ? [...words, word] : words, dropped: text.slice(at) };
    } else if (/\s/.test(letter)) {
      if (isWord) words.push(word);
      word = '';
      isWord = false;
    } else {
      word += letter;
      isWord = true;
    }
    at += 1;
  }
  return { words: isWord ? [...words, word] : words, dropped: '' };
}

function closingQuote(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return undefined;
}
