/** What a line of a script says, as a logical turn. */
import type { ModelRequest } from '../../../protocols/turn/dialect.ts';
import { dialectCarries } from '../../../protocols/turn/dialect-carries.ts';
import { seal } from '../../../protocols/turn/seal.ts';
import type { DialectName, StopReason, Turn, TurnPart } from '../../../protocols/turn/turn.ts';
import { estimateUsage } from '../estimate-usage.ts';
import type { ScriptLine } from '../script-line.ts';
import { drawId } from './draw-id.ts';

/** The ids of calls are drawn where the line has none; usage is estimated. */
export function lineTurn(line: ScriptLine, dialect: DialectName, request: ModelRequest, seed: string): Turn {
  const parts: TurnPart[] = [
    ...reasoningOf(line, dialect, request, seed),
    ...(line.says === undefined ? [] : [{ kind: 'text', text: line.says } as const]),
    ...(line.refuses === undefined ? [] : [{ kind: 'refusal', text: line.refuses } as const]),
    ...(line.calls ?? []).map((call, index) => ({
      kind: 'call' as const,
      id: call.id ?? `${dialectCarries[dialect].callId}${drawId(`${seed}/${index}`)}`,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
  const turn = { parts, stop: line.stop ?? stopOf(line) };
  return { ...turn, usage: line.usage ?? estimateUsage(request, turn) };
}

/** What is hidden comes as data where the dialect has a place for it, and otherwise as a signature alone. */
function reasoningOf(
  { reasons, hides, calls }: ScriptLine,
  dialect: DialectName,
  { wantsSeals }: ModelRequest,
  seed: string,
): readonly TurnPart[] {
  const part = (text: string, sealed: string): TurnPart => ({
    kind: 'reasoning',
    text,
    ...(wantsSeals ? { signature: seal(sealed) } : {}),
  });
  // Gemini signs calls whether or not it shows its thoughts.
  const isSilent = reasons === undefined && hides === undefined && dialect === 'gemini' && calls?.length;
  return [
    ...(reasons === undefined ? [] : [part(reasons, reasons)]),
    ...(hides === undefined
      ? []
      : [
          dialectCarries[dialect].redacted
            ? ({ kind: 'reasoning', text: '', redacted: seal(hides) } as const)
            : part('', hides),
        ]),
    ...(isSilent ? [part('', seed)] : []),
  ];
}

function stopOf({ calls, refuses }: ScriptLine): StopReason {
  if (calls !== undefined && calls.length > 0) return 'tool-calls';
  return refuses === undefined ? 'end' : 'refusal';
}
