/** Every kind of step, as written: the key that says what is done, and the keys that may stand beside it. */
import { z } from 'zod';
import { closed, duration, text } from '../../system/document/values.ts';
import { commonStepKeys, pattern, serviceName, stepName, texts } from './step-and-check-keys.ts';

const callRule = 'a method, a service and a path, such as `POST agent/ask`';
const targetRule = 'a service, or `service.listener`';
const target = z.string(targetRule).regex(/^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?$/, targetRule);
const argvRule = "a list of texts such as ['node', 'cli.js'], or one text for sh -c";
const argv = z.union([text, z.array(z.string('a text'), argvRule).min(1, argvRule)], argvRule);

const part = closed(
  {
    name: text,
    text: z.string('a text').optional(),
    file: text.optional(),
    hex: z.string('hexadecimal digits').optional(),
    filename: text.optional(),
    type: text.optional(),
  },
  'a part',
);

const http = closed(
  {
    http: z
      .string(callRule)
      .regex(/^[A-Z]+ [a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?(?:[/?].*)?$/s, callRule)
      .describe('METHOD service/path'),
    json: z.unknown().describe('The body, as JSON.').optional(),
    text: z.string('a text').describe('The body, as plain text.').optional(),
    form: texts('a map of fields').describe('The body, as a form.').optional(),
    multipart: z.array(part, 'a list of parts').describe('The body, in parts.').optional(),
    body: closed({ file: text.optional(), hex: z.string('hexadecimal digits').optional() }, 'a body')
      .describe('The body, from a file beside the trial or as bytes.')
      .optional(),
    headers: texts('a map of headers').optional(),
    query: texts('a map of query parameters').optional(),
    redirect: z
      .boolean('true or false')
      .describe('Follow redirects; they are evidence otherwise.')
      .optional(),
    ...commonStepKeys,
  },
  'an http step',
);

const tcp = closed(
  {
    tcp: target.describe('Opens a connection that stays open under the step’s name.'),
    codec: text
      .describe('How messages are framed: hex6-sexp, newline-json, content-length-json, or ./my-codec.ts.')
      .optional(),
    ...commonStepKeys,
  },
  'a tcp step',
);

const on = closed(
  {
    on: stepName.describe('The step that opened the connection.'),
    send: z
      .unknown()
      .describe('A message, framed by the codec; for a program, text for its standard input.')
      .optional(),
    sendRaw: z
      .unknown()
      .describe(
        'Bytes: { text }, { hex }, { file } or { repeat, bytes }, with `pause` and `then`; or a list.',
      )
      .optional(),
    receive: z
      .int('a whole number')
      .min(0, 'a whole number')
      .describe('Wait for so many messages.')
      .optional(),
    end: z
      .enum(['half', 'full', 'reset', 'stay'], 'half, full, reset or stay')
      .describe('How the connection ends after that; `stay` when absent.')
      .optional(),
    signal: z
      .string('a signal such as SIGINT')
      .regex(/^SIG[A-Z0-9]+$/, 'a signal such as SIGINT')
      .describe('For a program: the signal to send.')
      .optional(),
    awaitExit: z.literal(true, 'true').describe('For a program: wait until it has ended.').optional(),
    ...commonStepKeys,
  },
  'an on step',
);

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

const mcp = closed(
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
    client: mcpClient.describe('What we are to a server that asks back.').optional(),
    session: z.literal('new', 'new').describe('Do not use the session of an earlier step.').optional(),
    ...commonStepKeys,
  },
  'an mcp step',
);

const command = closed(
  {
    command: argv.describe('A program, started from outside: a list of texts, or one text for `sh -c`.'),
    stdin: z.string('a text').optional(),
    env: texts('a map of environment variables').optional(),
    cwd: text.describe('Relative to the trial’s file.').optional(),
    stays: z
      .literal(true, 'true')
      .describe('It goes on under the step’s name; later steps act `on:` it.')
      .optional(),
    ...commonStepKeys,
  },
  'a command step',
);

const onService = (verb: string, what: string) =>
  closed({ [verb]: serviceName.describe(what), ...commonStepKeys }, `a ${verb} step`);

const quiet = closed(
  { quiet: z.literal(true, 'true').describe('Wait until every edge is idle.'), ...commonStepKeys },
  'a quiet step',
);

const wait = closed(
  {
    until: z
      .record(z.string(), z.unknown(), 'a check')
      .describe('Wait until this check holds, at most its `within`.'),
    as: stepName.optional(),
    title: text.optional(),
    timeout: duration.optional(),
  },
  'an until step',
);

const use = closed(
  {
    use: text.describe('A file of shared steps, relative to this one.'),
    with: z
      .record(z.string(), pattern, 'a map of values')
      .describe('What `${with.…}` means in it.')
      .optional(),
  },
  'a use step',
);

/** In the order in which the kind of a step is looked for. */
export const stepDocuments = {
  http,
  tcp,
  on,
  mcp,
  command,
  restart: onService('restart', 'Stop the service politely, start it again, and wait until it is ready.'),
  stop: onService('stop', 'Stop the service politely.'),
  start: onService('start', 'Start the service, and wait until it is ready.'),
  kill: onService('kill', 'End the service with SIGKILL.'),
  quiet,
  until: wait,
  use,
} as const;

export type StepKind = keyof typeof stepDocuments;
export const stepKinds = Object.keys(stepDocuments) as readonly StepKind[];
