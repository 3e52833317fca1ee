/** A small system for flows: a desk that takes notes over HTTP, and a server that greets and echoes over TCP. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckVerdict, RunVerdict, TrialVerdict } from '../../src/checks/verdict.ts';
import { openDocument } from '../../src/journal/seal.ts';
import { makeProject, type Project } from '../harness/project.ts';
import type { CommandResult } from '../harness/run-command.ts';

const desk = `import { appendFileSync } from 'node:fs';
import http from 'node:http';
let open = 0;
let most = 0;
let notes = 0;
http
  .createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://here');
    let body = '';
    for await (const chunk of request) body += chunk;
    open += 1;
    most = Math.max(most, open);
    if (pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, 300));
    if (pathname === '/note') {
      notes += 1;
      console.log('INFO noted', searchParams.get('text'));
      appendFileSync(process.env.DIR + '/notes.jsonl', JSON.stringify({ text: searchParams.get('text') }) + '\\n');
    }
    open -= 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ path: pathname, notes, most, got: body === '' ? null : JSON.parse(body) }));
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const line = `import { createServer } from 'node:net';
createServer((socket) => {
  socket.on('error', () => socket.destroy());
  setTimeout(() => socket.write('{"hello":true}\\n'), 50);
  socket.on('data', (bytes) => socket.write(bytes));
}).listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

const config = `name: noted
isolation: shared
services:
  desk:
    run: [node, desk.mjs]
    listen: { env: PORT }
    env: { DIR: "\${self.dir}" }
  line:
    run: [node, line.mjs]
    listen: { env: PORT, scheme: tcp }
`;

/** Files by name; the text of a flow file needs no import. */
export function flowProject(files: Readonly<Record<string, string>>): Project {
  const written = Object.entries(files).map(([name, text]) => [
    name,
    name.includes('.flow.') && !text.includes("from 'shakedown'")
      ? `import { flow } from 'shakedown';\n${text}`
      : text,
  ]);
  return makeProject({
    'shakedown.yaml': config,
    'desk.mjs': desk,
    'line.mjs': line,
    ...Object.fromEntries(written),
  });
}

/** One flow with this body; every part of the context is available under its name. */
export function flowText(id: string, body: string, options = ''): string {
  const names =
    'http, tcp, command, service, rows, files, logs, events, process: seen, calls, changes, together, quiet, check, expect, trial, url';
  return `flow('what ${id} says', { id: '${id}', ${options} }, async ({ ${names} }) => {\n${body}\n});\n`;
}

export interface FlowRun extends CommandResult {
  readonly verdict: RunVerdict;
  trial(id: string): TrialVerdict;
  check(trial: string, id: string): CheckVerdict;
}

export async function runFlows(project: Project, args: readonly string[] = []): Promise<FlowRun> {
  const result = await project.run(['run', ...args]);
  const file = path.join(project.folder, '.shakedown/latest/verdict.json');
  const verdict = JSON.parse(openDocument(readFileSync(file))) as RunVerdict;
  const trial = (id: string): TrialVerdict => found(verdict.trials, id, result.output);
  return { ...result, verdict, trial, check: (of, id) => found(trial(of).checks, id, result.output) };
}

function found<Thing extends { readonly id: string }>(
  all: readonly Thing[],
  id: string,
  shown: string,
): Thing {
  const one = all.find((candidate) => candidate.id === id);
  if (!one) throw new Error(`no ${id} among ${all.map((other) => other.id).join(', ')}\n${shown}`);
  return one;
}
