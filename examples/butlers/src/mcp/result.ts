/** What a tool call returns: an object, as structure and as text, or the error. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export function answer(value: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
    isError: false,
  };
}

export function refusal(reason: string): CallToolResult {
  return { content: [{ type: 'text', text: reason }], isError: true };
}
