/** From the one JSON body of an answer that is not streamed, or of a refusal, to the turn. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep, mostJsonLevels } from '../json-rpc/json-depth.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { FoldedPart, FoldedTurn } from '../turn/turn.ts';
import { createItemBook, mostPlaces, textOf } from './item-book.ts';
import { itemParts } from './item-parts.ts';
import { endingOf, readError, readUsage } from './read-response.ts';
import { createAllowance, takeItem } from './take-item.ts';

export function foldResponsesBody(body: unknown, status: number): FoldedTurn {
  const notes = createFoldNotes('responses');
  const isOk = status >= 200 && status < 300;
  if (!isOk || (isMap(body) && hasError(body))) {
    if (!isMap(body))
      notes.fault('error-not-json', `HTTP ${status} came with no object of JSON: ${shownValue(body)}`);
    return folded(notes, { error: readError(errorIn(body), `http_${status}`) });
  }
  if (!isMap(body) || !Array.isArray(body.output)) {
    notes.fault('not-a-response', `the body is not an answer of this dialect: ${shownValue(body)}`);
    return folded(notes, {});
  }
  if (isTooDeep(body)) {
    notes.fault('too-deep', `the body has more than ${mostJsonLevels} levels`);
    return folded(notes, {});
  }
  return foldResponse(body, body.output, notes);
}

function hasError(body: JsonMap): boolean {
  return (
    (body.error !== undefined && body.error !== null) ||
    body.status === 'failed' ||
    body.status === 'cancelled'
  );
}

function errorIn(body: unknown): unknown {
  if (!isMap(body)) return typeof body === 'string' ? body : undefined;
  return body.error === null || body.error === undefined ? { code: body.status } : body;
}

function foldResponse(body: JsonMap, output: readonly unknown[], notes: FoldNotes): FoldedTurn {
  const parts = partsOf(output, notes, body.status === 'incomplete');
  const about = {
    parts,
    usage: readUsage(body.usage),
    ...known('id', body.id),
    ...known('model', body.model),
  };
  if (body.status === 'in_progress' || body.status === 'queued') return folded(notes, about);
  const status = body.status === 'incomplete' ? 'incomplete' : 'completed';
  if (typeof body.status !== 'string') notes.oddity('no-status', 'the answer has no status');
  if (status === 'completed' && output.length === 0)
    notes.fault('completed-empty', 'the answer is completed and has nothing in it', 'R05');
  const ending = endingOf(status, body, parts);
  return folded(notes, { ...about, ...ending, complete: notes.faults.length === 0 });
}

function partsOf(output: readonly unknown[], notes: FoldNotes, isIncomplete: boolean): readonly FoldedPart[] {
  const book = createItemBook(notes);
  const taking = { notes, allowance: createAllowance(notes), when: 'body' } as const;
  output.slice(0, mostPlaces).forEach((value, index) => {
    const item = isMap(value) ? book.announce({ output_index: index }, value) : undefined;
    if (!isMap(value)) notes.fault('no-item', `the output holds ${shownValue(value)}`);
    if (item === undefined || !isMap(value)) return;
    takeItem(item, value, taking);
    item.isDone = value.status !== 'in_progress';
    if (item.isIncomplete && !isIncomplete)
      notes.fault('not-done', `the answer is completed and the item ${index} is incomplete`, 'R05');
  });
  return book.inOrder().flatMap((item) => itemParts(item, notes));
}

function known<K extends string>(key: K, value: unknown): Partial<Record<K, string>> {
  const text = textOf(value);
  return text === undefined ? {} : ({ [key]: text } as Record<K, string>);
}

function folded(notes: FoldNotes, turn: Partial<FoldedTurn>): FoldedTurn {
  const nothing = { complete: false, parts: [], stop: null, usage: null };
  const { faults, oddities } = notes;
  return { dialect: 'openai-responses', streamed: false, ...nothing, ...turn, faults, oddities };
}
