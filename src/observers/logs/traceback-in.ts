/** Finds the head of a Python traceback in a line, whatever a process manager, a logger or a frame puts before it. Pure. */

const words = 'Traceback (most recent call last)';

/** The prefix of its line, which the lines that follow share; undefined where the line is not such a head. */
export function tracebackIn(line: string): string | undefined {
  const at = line.indexOf(words);
  if (at === -1) return undefined;
  const before = line.slice(0, at).replace(/Exception Group $/, '');
  const after = line.slice(at + words.length);
  const isDrawn = /^[^\w"'`>]*$/.test(before);
  const isFramed = /[─━═╭┌-] $/.test(before) && /^ [─━═-]/.test(after);
  // If nothing follows on the line, the traceback does; after a quote or a mention, text follows.
  const isHead = /^:\s*$/.test(after) && !/["'`>]\s*$/.test(before);
  return isDrawn || isFramed || isHead ? before.replace(/[─━═╭┌]{1,200} $/, '') : undefined;
}
