/** The keys of an `mcp` step. */
import { z } from 'zod';
import { commonStepKeys, texts } from '../kind/keys-of-all.ts';
import { argv, target } from '../kind/targets.ts';
import { closed, text } from '../kind/values.ts';

const map = z.record(z.string(), z.unknown(), 'a map');
const sampledRule = 'a text, or a result with `content`; or a list of such';
const sampled = z.union([text, map], sampledRule);
const actionRule = 'accept, decline or cancel';
const action = z.enum(['accept', 'decline', 'cancel'], actionRule);
const elicitedRule = `${actionRule}, or { action, content }; or a list of such`;
const elicited = z.union([action, closed({ action, content: map.optional() }, 'an answer')], elicitedRule);
const rootRule = 'an address such as file:///work, or { uri, name }';

const mcpClient = closed(
  {
    roots: z
      .array(z.union([text, closed({ uri: text, name: text.optional() }, 'a root')], rootRule), rootRule)
      .describe('What `roots/list` is answered.')
      .optional(),
    sampling: z
      .union([sampled, z.array(sampled)], sampledRule)
      .describe('What the model is made to say: always, or as a list one after the other.')
      .optional(),
    elicitation: z
      .union([elicited, z.array(elicited)], elicitedRule)
      .describe('What a person is made to answer: always, or as a list one after the other.')
      .optional(),
    capabilities: map.describe('Declared as they are, in place of what the answers imply.').optional(),
  },
  'a client',
);

export const mcpDocument = closed(
  {
    mcp: z
      .union(
        [target, closed({ stdio: argv, env: texts('a map of variables').optional() }, 'a program')],
        'a service, or { stdio: [program, word…], env }',
      )
      .describe('An MCP server: a service, or a program on stdio.'),
    tool: text.describe('The tool to call.').optional(),
    args: z.unknown().describe('Its arguments.').optional(),
    list: z.enum(['tools', 'resources', 'prompts'], 'tools, resources or prompts').optional(),
    request: text.describe('Any other method.').optional(),
    params: z.unknown().optional(),
    transport: z
      .enum(['auto', 'streamable-http', 'sse', 'stdio'], 'auto, streamable-http, sse or stdio')
      .optional(),
    path: text.describe('Where the server listens; `/mcp`, or `/sse`, when absent.').optional(),
    headers: texts('a map of headers').describe('Sent with each request of the conversation.').optional(),
    era: text.describe('The protocol version to ask for.').optional(),
    client: mcpClient.describe('How requests of the server to its client are answered.').optional(),
    session: z.literal('new', 'new').describe('Do not use the session of an earlier step.').optional(),
    ...commonStepKeys,
  },
  'an mcp step',
);
