/** A match result for a person: what was expected, what was there, and where the two differ. */
import type { MatchResult, Mismatch } from './match-result.ts';
import { patternLimits } from './pattern-limits.ts';

export function explainMismatch(result: MatchResult): string {
  if (result.matched) return 'matched';
  const shown = result.mismatches.slice(0, patternLimits.explained);
  const omitted = result.mismatches.length - shown.length + result.omitted;
  const blocks = shown.map(explainOne);
  if (result.exceeded !== undefined)
    blocks.unshift(`unknown: the match stopped at its limit of ${result.exceeded}`);
  if (result.open !== undefined) blocks.unshift(`unknown: ${result.open}`);
  if (omitted > 0) blocks.push(`… and ${omitted} more`);
  return blocks.join('\n\n');
}

function explainOne({ path, expected, observed }: Mismatch): string {
  return [`expected  ${expected}`, `observed  ${observed}`, `at        ${path}`].join('\n');
}
