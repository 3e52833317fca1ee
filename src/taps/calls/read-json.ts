/** Reads JSON from evidence; what is none, or is nested too deep for those who write it down, stays text. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { callLimits } from './call-limits.ts';

export function readJson(text: string): { readonly json: unknown } | undefined {
  if (!canBeJson.test(text)) return undefined;
  let json: unknown;
  try {
    json = parseExactJson(text);
  } catch {
    return undefined; // it looked like JSON and is none, which is for the reader of the evidence to judge
  }
  return text.length > callLimits.depth && isDeeper(json, callLimits.depth) ? undefined : { json };
}

const canBeJson = /^\s*[[{"\-\dtfn]/;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
