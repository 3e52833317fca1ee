/** Guesses from the words of a requirement whether it has a failing side that must be shown. */

const words =
  /\b(?:reject(?:s|ed|ion|ions)?|refus(?:e|es|ed|al)|block(?:s|ed)?|den(?:y|ies|ied)|forbidden|disallowed|not allowed|unauthori[sz]ed|invalid|malformed|illegal|cannot|must not|fail(?:s|ed|ure|ures)?|outage|unavailable|error[- ]path|[45]\d\d)\b/i;

/** The first word that says so; undefined where none does. A guess: whoever knows better writes `failPath` down. */
export function failWordIn(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const [word] = words.exec(text ?? '') ?? [];
    if (word !== undefined) return word.toLowerCase();
  }
  return undefined;
}
