/** Tokens as far as they can be guessed from lengths: about four characters each. */
import type { ModelRequest } from '../../protocols/turn/dialect.ts';
import type { Turn, TurnPart, Usage } from '../../protocols/turn/turn.ts';
import { argumentsText } from '../../protocols/turn/written-arguments.ts';

const charsOfToken = 4;

export function estimateUsage(request: ModelRequest, turn: Turn): Usage {
  const choices = request.choices ?? 1;
  const [reasoned, said] = [true, false].map((isThought) => {
    const parts = turn.parts.filter(({ kind }) => (kind === 'reasoning') === isThought);
    return parts.length === 0 ? 0 : tokensOf(sum(parts.map(partChars))) * choices;
  }) as [number, number];
  return {
    input: estimateInput(request),
    output: Math.max(1, reasoned + said),
    ...(reasoned === 0 ? {} : { reasoning: reasoned }),
  };
}

/** What a count says is what a call says that it took. */
export function estimateInput(request: ModelRequest): number {
  return request.inputTokens ?? tokensOf(requestChars(request));
}

function requestChars({ system, messages, tools }: ModelRequest): number {
  const said = sum(
    messages.map(
      ({ text, calls, results }) =>
        text.length +
        sum(calls.map((call) => call.name.length + jsonChars(call.arguments))) +
        sum(results.map((result) => result.text.length)),
    ),
  );
  return system.length + said + sum(tools.map((tool) => tool.name.length + jsonChars(tool.schema)));
}

function partChars(part: TurnPart): number {
  switch (part.kind) {
    case 'call':
      return part.name.length + argumentsText(part).length;
    case 'other':
      return jsonChars(part.value);
    default:
      return part.text.length;
  }
}

function jsonChars(value: unknown): number {
  return value === undefined ? 0 : (JSON.stringify(value)?.length ?? 0);
}

function tokensOf(chars: number): number {
  return Math.max(1, Math.ceil(chars / charsOfToken));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
