/** A text that is too long to be shown has an ellipsis where it was cut: whoever reads it, and whoever looks for secrets in it, knows. */
export function cutText(text: string, mostChars: number): string {
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}

/** Its end. A word that was torn goes as a whole: by its last part alone nobody knows a secret again. Whoever collects keeps twice as much. */
export function lastOf(text: string, mostChars: number): string {
  return text.length > mostChars ? text.slice(-mostChars).replace(/^\S*/, '…') : text;
}
