/** The calls of one answer, and which of them a fragment belongs to: by its index where it has one, else by its id. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';

export interface CallDraft {
  readonly index: number;
  readonly kind: 'function' | 'custom' | 'legacy';
  id: string;
  name: string;
  /** Arguments as text, or the input of a custom tool. */
  text: string;
}

export interface CallBook {
  /** As they came. */
  readonly all: CallDraft[];
  /** The one that fragments of an index go to. */
  readonly newestOf: Map<number, CallDraft>;
  /** The index behind the largest. */
  nextIndex: number;
  /** Of all arguments together. */
  chars: number;
}

export function createCallBook(): CallBook {
  return { all: [], newestOf: new Map(), nextIndex: 0, chars: 0 };
}

/** By index; those that share one, as they came. */
export function sortedCalls({ all }: CallBook): readonly CallDraft[] {
  return all.length < 2 ? all : all.toSorted((one, other) => one.index - other.index);
}

function openCall(
  book: CallBook,
  index: number,
  kind: CallDraft['kind'],
  notes: FoldNotes,
): CallDraft | undefined {
  if (book.all.length >= foldLimits.calls)
    return notes.fault('too-many-calls', `there are more than ${foldLimits.calls} calls`);
  const draft: CallDraft = { index, kind, id: '', name: '', text: '' };
  book.all.push(draft);
  book.newestOf.set(index, draft);
  book.nextIndex = Math.max(book.nextIndex, index + 1);
  return draft;
}

function openNextCall(book: CallBook, entry: JsonMap, notes: FoldNotes): CallDraft | undefined {
  return openCall(book, book.nextIndex, kindOf(entry), notes);
}

/** The call that a fragment belongs to, a new one where it begins one. */
function findCall(book: CallBook, entry: JsonMap, notes: FoldNotes): CallDraft | undefined {
  const { index } = entry;
  if (index === undefined || index === null) return findWithoutIndex(book, entry, notes);
  if (Number.isSafeInteger(index) && (index as number) >= 0) {
    return findByIndex(book, index as number, entry, notes);
  }
  return notes.fault('bad-index', `the index of a call is ${shownValue(index)}`);
}

function findByIndex(book: CallBook, index: number, entry: JsonMap, notes: FoldNotes): CallDraft | undefined {
  const newest = book.newestOf.get(index);
  if (newest === undefined) return openCall(book, index, kindOf(entry), notes);
  const { id } = entry;
  if (typeof id !== 'string' || id === '' || newest.id === '' || id === newest.id) return newest;
  const known = book.all.find((draft) => draft.index === index && draft.id === id);
  if (known !== undefined) {
    book.newestOf.set(index, known);
    return known;
  }
  if (nameOf(entry) !== '') {
    notes.oddity('shared-index', `two calls have the index ${index}`, 'C07');
    return openCall(book, index, kindOf(entry), notes);
  }
  return notes.fault('call-changed-id', `call ${index} is ${shownValue(newest.id)}, then ${shownValue(id)}`);
}

function findWithoutIndex(book: CallBook, entry: JsonMap, notes: FoldNotes): CallDraft | undefined {
  notes.oddity('no-index', 'a fragment of a call has no index', 'C05');
  const { id } = entry;
  if (typeof id === 'string' && id !== '') {
    return book.all.find((draft) => draft.id === id) ?? openNextCall(book, entry, notes);
  }
  const [first, second] = book.all;
  if (first === undefined) return openNextCall(book, entry, notes);
  const name = nameOf(entry);
  const isOther = name !== '' && name !== first.name && first.text !== '';
  if (second === undefined && !isOther) return first;
  const what = 'a fragment without index and id could belong to several calls';
  return notes.fault('ambiguous-call', what, 'C05');
}

function kindOf(entry: JsonMap): 'function' | 'custom' {
  return entry.type === 'custom' || (isMap(entry.custom) && !isMap(entry.function)) ? 'custom' : 'function';
}

function nameOf(entry: JsonMap): string {
  const inner = isMap(entry.function) ? entry.function : entry.custom;
  return isMap(inner) && typeof inner.name === 'string' ? inner.name : '';
}

/** Fragments of a stream, or whole calls of a body, which have places instead of indices. */
export function readCalls(
  book: CallBook,
  entries: readonly unknown[],
  isWhole: boolean,
  notes: FoldNotes,
): void {
  for (const entry of entries) {
    if (!isMap(entry)) notes.fault('call-no-object', `a call is ${shownValue(entry)}`);
    else {
      const draft = isWhole ? openNextCall(book, entry, notes) : findCall(book, entry, notes);
      if (draft !== undefined) fill(book, draft, entry, notes);
    }
  }
}

/** The one call of the time before tools. */
export function readLegacyCall(book: CallBook, call: JsonMap, notes: FoldNotes): void {
  const draft = book.all.find(({ kind }) => kind === 'legacy') ?? openCall(book, 0, 'legacy', notes);
  if (draft !== undefined) fill(book, draft, { function: call }, notes);
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
