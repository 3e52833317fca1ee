/** Reads the data of one event as the JSON object that it should be, and names what it is instead. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { type FoldNotes, shownValue } from './fold-notes.ts';

/** Undefined where the event says nothing, or is broken; the notes have it then. */
export function readEventJson(data: string, notes: FoldNotes): JsonMap | undefined {
  const value = exactJsonOr(data, undefined);
  if (isMap(value)) return value;
  const sse = notes.of('sse');
  if (value === undefined) return readBroken(data, sse);
  return sse.fault('not-object', `the event holds ${shownValue(value)}, where an object is expected`);
}

/** An event without JSON is empty, a misplaced comment, or broken; a broken one is reported as far as readable. */
function readBroken(data: string, sse: ReturnType<FoldNotes['of']>): JsonMap | undefined {
  const text = data.trim();
  if (text === '') return undefined;
  if (text.startsWith(':'))
    return sse.oddity('comment-as-data', `the comment ${shownValue(text)} came as data`, 'S11');
  const escaped = exactJsonOr(escapeControls(text), undefined);
  if (isMap(escaped)) {
    sse.fault('raw-control', 'a string of the JSON holds a raw control character', 'S22');
    return escaped;
  }
  const error = splicedError(text);
  if (error === undefined && !text.includes('}{'))
    return sse.fault('not-json', `the event is not JSON: ${shownValue(text)}`);
  sse.fault('two-values', `two values were sent as one event: ${shownValue(text)}`, 'S21');
  return error;
}

/** An error that was written into an unfinished event: its text is complete, and begins after the first character. */
function splicedError(text: string): JsonMap | undefined {
  const at = Math.max(text.lastIndexOf('{"error"'), text.lastIndexOf('{"type":"error"'));
  const error = at > 0 ? exactJsonOr(text.slice(at), undefined) : undefined;
  return isMap(error) ? error : undefined;
}

function escapeControls(text: string): string {
  return text.replace(/[\0-\x1f]/g, (raw) => `\\u${raw.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
