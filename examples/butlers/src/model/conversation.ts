/** One conversation with the model: ask, run the tools that it calls, send it the results, until it is done. */
import type { Block, Message, ModelAnswer, ModelRequest, ToolDefinition, ToolUseBlock } from './messages.ts';

interface ConversationOptions {
  readonly system: string;
  readonly text: string;
  readonly tools: readonly ToolDefinition[];
  ask(request: ModelRequest): Promise<ModelAnswer>;
  /** Gets all calls of one turn; returns one result for each, in the same order. */
  runTools(calls: readonly ToolUseBlock[]): Promise<readonly ToolOutcome[]>;
}

export interface ToolOutcome {
  readonly ok: boolean;
  readonly result: string;
}

/** A tool that the model called, as it is kept in the session log. */
interface ToolCall extends ToolOutcome {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Conversation {
  readonly answer: string;
  readonly toolCalls: readonly ToolCall[];
  /** Tokens of all turns together. */
  readonly usage: { readonly input: number; readonly output: number };
}

const maxTurns = 8;

export async function converse(options: ConversationOptions): Promise<Conversation> {
  const { system, tools } = options;
  const messages: Message[] = [{ role: 'user', content: options.text }];
  const toolCalls: ToolCall[] = [];
  const usage = { input: 0, output: 0 };
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const { content, usage: spent } = await options.ask({ system, tools, messages });
    usage.input += spent.input_tokens;
    usage.output += spent.output_tokens;
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return { answer: textOf(content), toolCalls, usage };

    const outcomes = await options.runTools(calls);
    const results = calls.map((call, index) => {
      const outcome = outcomes[index] ?? { ok: false, result: 'the tool gave no result' };
      toolCalls.push({ name: call.name, arguments: call.input, ...outcome });
      return toolResult(call, outcome);
    });
    messages.push({ role: 'assistant', content }, { role: 'user', content: results });
  }
  throw new Error(`the model still asked for tools after ${maxTurns} turns`);
}

function toolResult(call: ToolUseBlock, outcome: ToolOutcome): Block {
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: outcome.result,
    ...(outcome.ok ? {} : { is_error: true }),
  };
}

function textOf(content: readonly Block[]): string {
  return content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}
