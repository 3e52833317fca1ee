/** A text that is too long to be shown ends with an ellipsis: whoever reads it, and whoever looks for secrets in it, knows that it was cut. */
export function cutText(text: string, mostChars: number): string {
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
