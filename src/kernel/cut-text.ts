/** Shortens a text for display, with an ellipsis where it was cut, so that readers and the redactor can see the cut. */
export function cutText(text: string, mostChars: number): string {
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}

/**
 * The end of a text. A word that was cut is dropped whole, because the rest of a secret would not be redacted. Callers
 * collect twice as much.
 */
export function lastOf(text: string, mostChars: number): string {
  return text.length > mostChars ? text.slice(-mostChars).replace(/^\S*/, '…') : text;
}
