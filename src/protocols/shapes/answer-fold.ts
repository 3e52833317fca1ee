/** Folds the bytes of an answer, as they come, to a turn: a stream of events or a JSON body, whichever it really is. */
import { shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn, WireFault } from '../turn/turn.ts';
import {
  type AnswerFold,
  type AnswerFoldOptions,
  addNotes,
  createBodyFold,
  createEventsFold,
} from './answer-forms.ts';

/** The first characters distinguish a JSON body from a stream of events, whatever the content type claims. */
export function createAnswerFold(options: AnswerFoldOptions): AnswerFold {
  let fold: AnswerFold | undefined;
  let start: Uint8Array = new Uint8Array();
  const begun = (form: Form | undefined): AnswerFold =>
    form === 'events' ? createEventsFold(options) : createBodyFold(options);
  const decide = (isOver: boolean): AnswerFold | undefined => {
    if (fold !== undefined) return fold;
    const form = formOf(start, options, isOver);
    if (form === undefined) return undefined;
    fold = begun(form);
    fold.push(start);
    return fold;
  };
  return {
    push: (bytes) => {
      if (fold !== undefined) {
        fold.push(bytes);
        return;
      }
      start = start.length === 0 ? bytes : Buffer.concat([start, bytes]);
      decide(false);
    },
    end: (how) => addForm((decide(true) ?? createBodyFold(options)).end(how), options),
    soFar: () => addForm((fold ?? begun(formOf(start, options, true))).soFar(), options),
  };
}

const mostBlanks = 1024;
const lookedAtBytes = 16;
const byteOrderMark = '\u00ef\u00bb\u00bf';
const fieldNames = ['data:', 'event:', 'id:', 'retry:', ':'];

type Form = 'events' | 'body';

/** Undefined while it can still become either. */
function formOf(bytes: Uint8Array, options: AnswerFoldOptions, isOver: boolean): Form | undefined {
  const { headers, status, streamAsked } = options;
  const claimsEvents = isEventStream(headers);
  if (isEncoded(headers)) return 'body';
  const start = firstText(bytes);
  if (start === '' || byteOrderMark.startsWith(start)) {
    const expectsEvents = claimsEvents || (streamAsked === true && status < 300);
    if (!isOver && bytes.length <= mostBlanks) return undefined;
    return expectsEvents ? 'events' : 'body';
  }
  if (claimsEvents) return /^[{[<]/.test(start) ? 'body' : 'events';
  if (fieldNames.some((name) => start.startsWith(name))) return 'events';
  return !isOver && fieldNames.some((name) => name.startsWith(start)) ? undefined : 'body';
}

/** What follows blanks and the byte order mark; part of the mark counts as the mark. */
function firstText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, mostBlanks + lookedAtBytes)).toString('latin1');
  const unmarked = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  return unmarked.replace(/^[ \t\r\n]+/, '').slice(0, lookedAtBytes);
}

function isEventStream(headers: Readonly<Record<string, string>>): boolean {
  return /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function isEncoded(headers: Readonly<Record<string, string>>): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
}

/** What only the status, the content type and the request say. */
function addForm(folded: FoldedTurn, { streamAsked, status, headers }: AnswerFoldOptions): FoldedTurn {
  if (status < 200 || status >= 300) {
    const error = folded.error ?? { type: `http_${status}`, message: `the status is ${status}` };
    return { ...folded, complete: false, error };
  }
  const oddities: WireFault[] = [];
  if (streamAsked !== undefined && streamAsked !== folded.streamed) {
    oddities.push(
      streamAsked
        ? { rule: 'http.body-for-stream', shape: 'S18', what: 'a stream was asked for, and one body came' }
        : { rule: 'http.stream-for-body', shape: 'S19', what: 'one body was asked for, and a stream came' },
    );
  }
  if (folded.streamed !== isEventStream(headers) && folded.parts.length > 0) {
    const what = `the content type is ${shownValue(headers['content-type'])}`;
    oddities.push({ rule: 'http.content-type', what });
  }
  return addNotes(folded, [], oddities);
}
