/** Whether a value from a file is a digest: one that is truncated, or of another version, is treated as absent. */
import { isMap } from '../../../kernel/is-map.ts';
import type { ReferenceDigest } from './reference-digest.ts';

export function isDigest(value: unknown): value is ReferenceDigest {
  if (!isMap(value) || value.version !== 1) return false;
  return (
    typeof value.of === 'string' &&
    [value.runs, value.durationMs].every(isNumber) &&
    isListOf(value.calls, isCall) &&
    isListOf(value.outputs, isOutput) &&
    isMap(value.held) &&
    isMap(value.prepared) &&
    isListOf(value.usual, isText)
  );
}

function isCall(value: unknown): boolean {
  return (
    isMap(value) &&
    [value.from, value.to, value.name].every(isText) &&
    [value.began, value.ended].every(isNumber)
  );
}

function isOutput(value: unknown): boolean {
  return isMap(value) && [value.party, value.name, value.asked].every(isText) && isNumber(value.at);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
