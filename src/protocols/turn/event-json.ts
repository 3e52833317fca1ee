/** Reads the data of one event as the JSON object that it should be, and names what it is instead. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { type FoldNotes, shownValue } from './fold-notes.ts';

/** Undefined where the event says nothing, or is broken; the notes have it then. */
export function readEventJson(data: string, notes: FoldNotes): JsonMap | undefined {
  let value: unknown;
  try {
    value = parseExactJson(data);
  } catch {
    return readBroken(data, notes);
  }
  if (isMap(value)) return value;
  notes.fault('sse.not-object', `the event holds ${shownValue(value)}, where an object is expected`);
  return undefined;
}

/** An event without JSON is empty, a misplaced comment, or broken; a broken one is reported as far as readable. */
function readBroken(data: string, notes: FoldNotes): JsonMap | undefined {
  const text = data.trim();
  if (text === '') return undefined;
  if (text.startsWith(':')) {
    notes.oddity('sse.comment-as-data', `the comment ${shownValue(text)} came as data`, 'S11');
    return undefined;
  }
  const escaped = parseObject(escapeControls(text));
  if (escaped !== undefined) {
    notes.fault('sse.raw-control', 'a string of the JSON holds a raw control character', 'S22');
    return escaped;
  }
  const error = splicedError(text);
  const isTwo = error !== undefined || text.includes('}{');
  const what = isTwo ? 'two values were sent as one event' : 'the event is not JSON';
  notes.fault(
    isTwo ? 'sse.two-values' : 'sse.not-json',
    `${what}: ${shownValue(text)}`,
    isTwo ? 'S21' : undefined,
  );
  return error;
}

/** An error that was written into an unfinished event: its text is complete, and begins after the first character. */
function splicedError(text: string): JsonMap | undefined {
  const at = Math.max(text.lastIndexOf('{"error"'), text.lastIndexOf('{"type":"error"'));
  return at > 0 ? parseObject(text.slice(at)) : undefined;
}

function parseObject(text: string): JsonMap | undefined {
  try {
    const value: unknown = parseExactJson(text);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function escapeControls(text: string): string {
  return text.replace(/[\0-\x1f]/g, (raw) => `\\u${raw.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
