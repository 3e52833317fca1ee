/** The prompt with which the model decides which butler a message is for. */
import type { ToolDefinition } from '../model/messages.ts';
import type { DirectoryEntry } from './directory.ts';

export const routeToolName = 'route_to_butler';

export function routingPrompt(directory: readonly DirectoryEntry[]): string {
  const butlers = directory.map(({ name, description }) => `- ${name}: ${description}`);
  return [
    'You are the switchboard of a household. Hand every message to the butler it is for.',
    'A message about several things goes to several butlers, each with its own part.',
    'When that is done, say in one sentence what you did.',
    '',
    'The butlers:',
    ...butlers,
  ].join('\n');
}

export function routeTool(directory: readonly DirectoryEntry[]): ToolDefinition {
  return {
    name: routeToolName,
    description: 'Hand a message, or the part of it that concerns this butler, to a butler.',
    input_schema: {
      type: 'object',
      properties: {
        butler: { type: 'string', enum: directory.map(({ name }) => name) },
        text: { type: 'string', description: 'The part of the message, in the words of the sender.' },
      },
      required: ['butler', 'text'],
      additionalProperties: false,
    },
  };
}
