/** A tool of a butler: its description for the model, and what it does. */
import { z } from 'zod';
import type { Database } from '../daemon/database.ts';
import type { ToolDefinition } from '../model/messages.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly fields: z.ZodRawShape;
  /** Returns a text for the caller; throws on failure. */
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
