/** An event as JSON, with values that are too large replaced by their size and their beginning. Pure. */
import type { JournalEvent } from '../../journal/event.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import type { LeftOut } from './report-data.ts';
import { reportLimits } from './report-limits.ts';

export function eventText(event: AttemptEvent | JournalEvent, mostBytes: number): string {
  const whole = JSON.stringify(event);
  if (isSmall(whole, mostBytes)) return whole;
  const fields = Object.entries(event).map(([key, value]) => [key, shorten(key, value, mostBytes, 1)]);
  return JSON.stringify(Object.fromEntries(fields));
}

/** What a reader of the page cannot do without: the declared trial, and who is connected with whom. */
const kept = new Set(['type', 'trial', 'topology', 'check', 'fields']);

/** Contents: left out as a whole. Maps with other names are only the frame around them. */
const bodies = new Set(['json', 'data', 'result', 'params', 'text', 'rawBody', 'events']);

/** Lists of texts, each of which is cut by itself. */
const lists = new Set(['lines', 'parts']);

const deepestFrame = 4;
/** A frame has several bodies. */
const frameBytes = 8;

function shorten(key: string, value: unknown, mostBytes: number, depth: number): unknown {
  if (kept.has(key) || !(typeof value === 'string' || isContainer(value))) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isSmall(text, mostBytes)) return value;
  if (depth > deepestFrame || !isFrame(key, value)) return leftOut(text, mostBytes);
  const inner = (name: string, one: unknown): unknown => shorten(name, one, mostBytes, depth + 1);
  const short = Array.isArray(value)
    ? value.map((one) => inner('', one))
    : Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, inner(name, one)]));
  return isSmall(JSON.stringify(short), frameBytes * mostBytes) ? short : leftOut(text, mostBytes);
}

function isFrame(key: string, value: unknown): boolean {
  if (Array.isArray(value)) return lists.has(key);
  return isContainer(value) && !bodies.has(key);
}

/** Counting bytes takes time, and most values are far from the limit. */
function isSmall(text: string, mostBytes: number): boolean {
  return text.length * 3 <= mostBytes || Buffer.byteLength(text) <= mostBytes;
}

function leftOut(text: string, mostBytes: number): LeftOut {
  const most = Math.min(reportLimits.beginningChars, Math.floor(mostBytes / 4));
  const beginning = text.slice(0, most).toWellFormed();
  return { $leftOut: { bytes: Buffer.byteLength(text), beginning } };
}
