/** A tool of a butler: what the model is told about it, and what it does. */
import { z } from 'zod';
import type { Database } from '../daemon/database.ts';
import type { ToolDefinition } from '../model/messages.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly fields: z.ZodRawShape;
  /** Gives a text for whoever called; throws what went wrong. */
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
