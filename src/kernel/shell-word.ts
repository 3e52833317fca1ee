/** Quotes a word for a shell. Names of cases have brackets, which a shell would take for a pattern. */
export function shellWord(word: string): string {
  return /^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
