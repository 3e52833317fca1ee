/** Puts the fragments of tool calls together. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { type CallBook, type CallDraft, findCall, openCall, openNextCall } from './call-book.ts';

/** Fragments of a stream. */
export function readCallFragments(book: CallBook, entries: readonly unknown[], notes: FoldNotes): void {
  for (const entry of entries) {
    const draft = isMap(entry) ? findCall(book, entry, notes) : noteNoObject(entry, notes);
    if (draft !== undefined && isMap(entry)) fill(book, draft, entry, notes);
  }
}

/** Whole calls of a body, which have places instead of indices. */
export function readWholeCalls(book: CallBook, entries: readonly unknown[], notes: FoldNotes): void {
  for (const entry of entries) {
    const draft = isMap(entry) ? openNextCall(book, entry, notes) : noteNoObject(entry, notes);
    if (draft !== undefined && isMap(entry)) fill(book, draft, entry, notes);
  }
}

/** The one call of the time before tools. */
export function readLegacyCall(book: CallBook, call: JsonMap, notes: FoldNotes): void {
  const draft = book.all.find(({ kind }) => kind === 'legacy') ?? openCall(book, 0, 'legacy', notes);
  if (draft !== undefined) fill(book, draft, { function: call }, notes);
}

function noteNoObject(entry: unknown, notes: FoldNotes): undefined {
  notes.fault('call-no-object', `a call is ${shownValue(entry)}`);
}

function fill(book: CallBook, draft: CallDraft, entry: JsonMap, notes: FoldNotes): void {
  const { id } = entry;
  if (typeof id === 'string' && draft.id === '') draft.id = id.slice(0, foldLimits.nameChars);
  const inner = entry[draft.kind === 'custom' ? 'custom' : 'function'];
  if (!isMap(inner)) return;
  addName(draft, inner.name, notes);
  const piece = draft.kind === 'custom' ? inner.input : inner.arguments;
  if (typeof piece === 'string') append(book, draft, piece, notes);
  else if (isMap(piece)) appendObject(book, draft, piece, notes);
  else if (piece !== undefined && piece !== null)
    notes.fault('arguments-no-text', `the arguments are ${shownValue(piece)}, not a string`);
}

function append(book: CallBook, draft: CallDraft, piece: string, notes: FoldNotes): void {
  const room = foldLimits.argumentsChars - book.chars;
  if (piece.length > room) {
    const what = `the arguments have more than ${foldLimits.argumentsChars} characters`;
    notes.fault('too-large', what, 'S28');
  }
  const kept = piece.length > room ? piece.slice(0, room) : piece;
  draft.text += kept;
  book.chars += kept.length;
}

function appendObject(book: CallBook, draft: CallDraft, value: JsonMap, notes: FoldNotes): void {
  notes.oddity('arguments-object', 'the arguments are an object, not its text', 'C16');
  if (isTooDeep(value)) notes.fault('too-deep', 'the arguments are nested too deep');
  else append(book, draft, JSON.stringify(value), notes);
}

/** Some servers repeat the whole name in every fragment, others cut the name itself into fragments. */
function addName(draft: CallDraft, name: unknown, notes: FoldNotes): void {
  if (typeof name !== 'string' || name === '') return;
  if (draft.name === '') {
    draft.name = name.slice(0, foldLimits.nameChars);
  } else if (draft.name === name)
    notes.oddity('name-repeated', `the name ${shownValue(name)} is repeated`, 'C11');
  else if (draft.text === '' && draft.name.length + name.length <= foldLimits.nameChars) {
    notes.oddity('name-in-fragments', `the name continues with ${shownValue(name)}`, 'C12');
    draft.name += name;
  } else notes.fault('name-changed', `${shownValue(draft.name)} is then called ${shownValue(name)}`);
}
