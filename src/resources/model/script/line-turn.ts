/** What a line of a script says, as a logical turn. */
import { defined } from '../../../kernel/defined.ts';
import type { ModelRequest } from '../../../protocols/turn/dialect.ts';
import { seal } from '../../../protocols/turn/seal.ts';
import type { DialectName, JsonObject, StopReason, Turn, TurnPart } from '../../../protocols/turn/turn.ts';
import { drawId } from '../draw-id.ts';
import { estimateUsage } from '../estimate-usage.ts';
import type { ScriptedCall, ScriptLine } from '../script-line.ts';

/** The ids of calls are drawn where the line has none; usage is estimated. */
export function lineTurn(line: ScriptLine, dialect: DialectName, request: ModelRequest, seed: string): Turn {
  const parts: TurnPart[] = [
    ...reasoningOf(line, dialect, request),
    ...(line.says === undefined ? [] : [{ kind: 'text', text: line.says } as const]),
    ...(line.refuses === undefined ? [] : [{ kind: 'refusal', text: line.refuses } as const]),
    ...signedCall(line, dialect, seed),
    ...(line.calls ?? []).map((call, index) => {
      const id = call.id ?? `${callIdPrefix(dialect)}${drawId(`${seed}/${index}`)}`;
      return callOf(call, id, request);
    }),
  ];
  const turn = { parts, stop: line.stop ?? stopOf(line) };
  return { ...turn, usage: line.usage ?? estimateUsage(request, turn) };
}

function callIdPrefix(dialect: DialectName): string {
  return dialect === 'anthropic' ? 'toolu_' : 'call_';
}

/** What is hidden comes as data where the dialect has a place for it, and otherwise as a signature alone. */
function reasoningOf(
  line: ScriptLine,
  dialect: DialectName,
  { wantsSeals }: ModelRequest,
): readonly TurnPart[] {
  const { reasons, hides } = line;
  const isSigned = wantsSeals && !signsCalls(line, dialect);
  const part = (text: string, sealed: string): TurnPart => ({
    kind: 'reasoning',
    text,
    ...(isSigned ? { signature: seal(sealed) } : {}),
  });
  return [
    ...(reasons === undefined ? [] : [part(reasons, reasons)]),
    ...(hides === undefined
      ? []
      : [
          dialect === 'anthropic'
            ? ({ kind: 'reasoning', text: '', redacted: seal(hides) } as const)
            : part('', hides),
        ]),
  ];
}

/** Gemini signs the first of its calls, whether or not it shows its thoughts, and whatever it says before. */
function signedCall(line: ScriptLine, dialect: DialectName, seed: string): readonly TurnPart[] {
  if (!signsCalls(line, dialect)) return [];
  return [{ kind: 'reasoning', text: '', signature: seal(line.reasons ?? line.hides ?? seed) }];
}

function signsCalls({ calls }: ScriptLine, dialect: DialectName): boolean {
  return dialect === 'gemini' && calls !== undefined && calls.length > 0;
}

/** A custom tool gets plain text: the value of `input`, or all arguments as JSON. */
function callOf({ name, arguments: made, raw }: ScriptedCall, id: string, { tools }: ModelRequest): TurnPart {
  const { isCustom, namespace, item } = tools.find((tool) => tool.name === name) ?? {};
  if (item !== undefined) {
    const { type, ...value } = item(made);
    return { kind: 'other', type, value: { call_id: id, status: 'completed', ...value } };
  }
  return {
    kind: 'call',
    id,
    name,
    arguments: made,
    ...(isCustom ? { input: raw ?? inputOf(made) } : defined({ raw })),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function inputOf(made: JsonObject): string {
  return typeof made.input === 'string' ? made.input : JSON.stringify(made);
}

function stopOf({ calls, refuses }: ScriptLine): StopReason {
  if (calls !== undefined && calls.length > 0) return 'tool-calls';
  return refuses === undefined ? 'end' : 'refusal';
}
