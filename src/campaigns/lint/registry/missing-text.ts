/** Whether a text that is demanded says nothing. Pure. */

/** Words that are written where a text is still to come. */
const placeholders =
  /^(?:t\.?b\.?[adc]\.?|to\s?do|fix\s?me|n\/?a|none|unknown|\?+|-+|\.{2,}|…|x{3,})[.!:]?$/i;

export function isMissing(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '' || placeholders.test(text.trim());
}
