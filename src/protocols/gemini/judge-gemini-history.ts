/** The rules that Gemini holds a history to before it answers. */
import type { JsonMap } from '../json-rpc/is-map.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';
import type { Content } from './read-gemini-contents.ts';

export function judgeGeminiHistory(contents: readonly Content[]): readonly WireFault[] {
  const notes = createFoldNotes();
  for (const [at, content] of contents.entries()) {
    const { role, parts, calls, results, path } = content;
    const before = contents[at - 1];
    if (parts.length === 0) notes.fault('gemini.empty-content', `\`${path}\` has no parts`);
    if (calls.length > 0 && role !== 'model')
      notes.fault('gemini.part-role', `\`${path}\` is of the user and calls a function`);
    if (calls.length > 0 && before?.role !== 'user')
      notes.fault(
        'gemini.call-place',
        `\`${path}\` calls a function, and no content of the user or of a function is before it`,
      );
    if (results.length > 0 && (before === undefined || before.calls.length === 0))
      notes.fault(
        'gemini.result-without-call',
        `\`${path}\` answers a function, and the content before it calls none`,
      );
    if (calls.length > 0) judgeAnswers(content, contents[at + 1], notes);
  }
  return notes.faults;
}

/** Calls of one content that are paired by name; more than a model makes. */
const mostPaired = 500;

/** The very next content answers all calls, each once, in one piece. */
function judgeAnswers({ calls, path }: Content, next: Content | undefined, notes: FoldNotes): void {
  const results = next?.results ?? [];
  if (results.length < calls.length)
    notes.fault(
      'gemini.call-without-result',
      `\`${path}\` calls ${calls.length} functions, and the next content answers ${results.length}`,
    );
  else if (results.length > calls.length)
    notes.fault(
      'gemini.result-without-call',
      `\`${path}\` calls ${calls.length} functions, and the next content answers ${results.length}`,
    );
  if (calls.length !== results.length || calls.length > mostPaired) return;
  const open = calls.slice();
  for (const result of results) {
    const at = open.findIndex((call) => fits(call, result));
    if (at !== -1) open.splice(at, 1);
    else
      notes.fault(
        'gemini.other-function',
        `\`${next?.path}\` answers ${shownValue(result.name)}, which \`${path}\` does not call`,
      );
  }
}

function fits(call: JsonMap, result: JsonMap): boolean {
  if (typeof call.id === 'string' && typeof result.id === 'string') return call.id === result.id;
  return call.name === result.name;
}
