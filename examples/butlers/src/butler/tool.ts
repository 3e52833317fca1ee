/** A tool of a butler: what the model is told about it, and what it does. */
import { z } from 'zod';
import type { Database } from '../daemon/database.ts';
import type { ToolDefinition } from '../model/messages.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly fields: z.ZodRawShape;
  /** Gives a text for the model; throws what went wrong. */
  run(fields: Readonly<Record<string, unknown>>, context: ToolContext): Promise<string>;
}

export interface ToolContext {
  readonly database: Database;
  /** The session on whose behalf the tool runs. */
  readonly session: string | null;
}

export function toDefinition(tool: Tool): ToolDefinition {
  const { $schema, ...schema } = z.toJSONSchema(z.strictObject(tool.fields));
  return { name: tool.name, description: tool.description, input_schema: schema };
}

/** What the model sends is checked like any other input. */
export async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<string> {
  const checked = z.strictObject(tool.fields).safeParse(input);
  if (!checked.success) throw new Error(z.prettifyError(checked.error));
  return tool.run(checked.data, context);
}
