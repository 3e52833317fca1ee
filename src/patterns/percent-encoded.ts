/** Texts of URLs and forms, in which readers find other characters than are written: `eve%40example.com`. Pure. */
import { percentDecoded } from '../kernel/percent-decoded.ts';
import type { Mismatch } from './match-result.ts';
import type { Place } from './place.ts';

/** Why a part that is not there as it was asked for may be meant all the same. */
export function doubtByPercent(
  { value, path }: Place,
  holds: (text: string) => boolean,
): Pick<Mismatch, 'doubt' | 'isSlight'> {
  if (typeof value !== 'string' || !/%[0-9a-f]{2}/i.test(value)) return {};
  const meant = [value, value.replaceAll('+', ' ')].map(percentDecoded);
  if (!meant.some(holds)) return {};
  return {
    doubt: `the text at ${path} has it in percent-encoding; ask for it as it is written`,
    isSlight: true,
  };
}
