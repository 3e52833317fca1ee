/** A line of a script in a few words. */
import { clipText } from '../../../patterns/print-value.ts';
import type { ScriptLine } from '../script-line.ts';

const mostChars = 80;

export function describeLine(line: ScriptLine): string {
  const { says, reasons, hides, refuses, calls, embeds, error, hangs, stop } = line;
  if (error) return `error ${error.status}`;
  if (hangs) return 'hangs';
  if (embeds) return `embeds ${embeds.length} vectors`;
  const parts = [
    ...(reasons === undefined ? [] : [`reasons ${quoted(reasons)}`]),
    ...(hides === undefined ? [] : [`hides ${quoted(hides)}`]),
    ...(says === undefined ? [] : [`says ${quoted(says)}`]),
    ...(refuses === undefined ? [] : [`refuses ${quoted(refuses)}`]),
    ...(calls === undefined || calls.length === 0
      ? []
      : [`calls ${calls.map(({ name }) => name).join(', ')}`]),
  ];
  return clipText(parts.join(', ') || `stops with ${stop ?? 'end'}`, mostChars);
}

function quoted(text: string): string {
  return JSON.stringify(clipText(text, 40));
}
