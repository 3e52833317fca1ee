/** A text of a URL with its percent signs resolved; as it is where one of them stands for itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
