/** A result of a match as a person reads it: what was expected, what was there, and where the two part. */
import type { MatchResult, Mismatch } from './match-result.ts';
import { patternLimits } from './pattern-limits.ts';

export function explainMismatch(result: MatchResult): string {
  if (result.matched) return 'matched';
  const told = result.mismatches.slice(0, patternLimits.explained);
  const untold = result.mismatches.length - told.length + result.omitted;
  const blocks = told.map(explainOne);
  if (result.exceeded !== undefined)
    blocks.unshift(`unknown: the match stopped at its limit of ${result.exceeded}`);
  if (result.open !== undefined) blocks.unshift(`unknown: ${result.open}`);
  if (untold > 0) blocks.push(`… and ${untold} more`);
  return blocks.join('\n\n');
}

function explainOne({ path, expected, observed }: Mismatch): string {
  return [`expected  ${expected}`, `observed  ${observed}`, `at        ${path}`].join('\n');
}
