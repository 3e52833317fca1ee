/** The rules that Gemini holds a history to before it answers. */
import { isMap } from '../../kernel/is-map.ts';
import { createFoldNotes, type FoldNotes } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';
import type { Content } from './read-gemini-contents.ts';

export function judgeGeminiHistory(contents: readonly Content[]): readonly WireFault[] {
  const notes = createFoldNotes('gemini');
  for (const { role, parts, calls, results, path } of contents) {
    if (parts.some((part) => Object.keys(part).length === 0))
      notes.fault('empty-part', `\`${path}\` has a part without data`);
    if (results.some(({ response }) => response != null && !isMap(response)))
      notes.fault('result-form', `\`${path}\` answers a function with something that is not an object`);
    if (parts.length === 0) notes.fault('empty-content', `\`${path}\` has no parts`);
    if (calls.length > 0 && role !== 'model')
      notes.fault('part-role', `\`${path}\` is of the user and calls a function`);
  }
  const turns = turnsOf(contents);
  for (const [at, turn] of turns.entries()) {
    const { calls, results, path } = turn;
    const before = turns[at - 1];
    if (calls.length > 0 && before?.role !== 'user')
      notes.fault(
        'call-place',
        `\`${path}\` calls a function, and no content of the user or of a function is before it`,
      );
    if (results.length > 0 && (before === undefined || before.calls.length === 0))
      notes.fault(
        'result-without-call',
        `\`${path}\` answers a function, and the content before it calls none`,
      );
    if (calls.length > 0) judgeAnswers(turn, turns[at + 1], notes);
  }
  return notes.faults;
}

/** Contents of the model in a row are one turn: a client that streams may keep one content for each chunk. */
export function turnsOf(contents: readonly Content[]): readonly Content[] {
  const turns: Content[] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    if (last?.role !== 'model' || content.role !== 'model') turns.push(content);
    else
      turns[turns.length - 1] = {
        ...last,
        parts: [...last.parts, ...content.parts],
        calls: [...last.calls, ...content.calls],
      };
  }
  return turns;
}

/** The next turn answers all calls, each once; by which name or id, the provider does not compare. */
function judgeAnswers({ calls, path }: Content, next: Content | undefined, notes: FoldNotes): void {
  const results = next?.results ?? [];
  if (results.length === calls.length) return;
  notes.fault(
    results.length < calls.length ? 'call-without-result' : 'result-without-call',
    `\`${path}\` calls ${calls.length} functions, and the next turn answers ${results.length}`,
  );
}
