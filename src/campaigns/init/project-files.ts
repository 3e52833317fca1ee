/** The files that `init` writes: a small system, a trial that passes on it as it is, and a test program that can fail. */

const shakedownYaml = `# yaml-language-server: $schema=node_modules/shakedown/schema/system.schema.json
# What the system is made of. Every word in \${…} is filled in when a program starts.
name: hello

services:
  # A program of yours, in any language: here it is Node, because it is on this machine already.
  ledger:
    run: [node, ledger.mjs]
    listen: { env: PORT } # a free port is chosen and passed in PORT
    env:
      LEDGER_FILE: \${self.dir}/guests.txt # a folder of its own, gone when the system goes down
    ready: { http: /health } # it counts as ready when this path answers 200 to 299

  greeter:
    run: [node, greeter.mjs]
    listen: { env: PORT }
    env:
      LEDGER_URL: \${ledger.url} # this makes an edge, greeter -> ledger, which Shakedown watches
    after: [first-guest] # waits for the job below
    ready: { http: /health, within: 10s }

jobs:
  # Runs once and must end with 0: a migration, or data that has to be there at the start.
  first-guest:
    run: [node, first-guest.mjs]
    env:
      LEDGER_URL: \${ledger.url}
    after: [ledger]

# A real PostgreSQL for this system, with nothing to install: uncomment the next three lines,
# and give its address to a program: env: { DATABASE_URL: "\${db.url}" }
# resources:
#   db:
#     kind: postgres
`;

const ledgerProgram = `// The ledger keeps the names of all guests, one on each line of a file.
//   POST /guests  with a name as the body: writes it down
//   GET  /guests  gives all names, as JSON
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const file = process.env.LEDGER_FILE;
appendFileSync(file, ''); // so that it exists when it is read

const server = createServer(async (request, response) => {
  if (request.url === '/health') return response.end('ok');
  if (request.url !== '/guests') return response.writeHead(404).end('try /guests');
  if (request.method === 'POST') {
    let name = '';
    for await (const part of request) name += part;
    appendFileSync(file, name.replaceAll('\\n', ' ') + '\\n');
    console.log('wrote down ' + name);
  }
  const names = readFileSync(file, 'utf8').split('\\n').slice(0, -1);
  response.end(JSON.stringify(names));
});
server.listen(process.env.PORT, '127.0.0.1', () => console.log('the ledger is open'));
`;

const greeterProgram = `// The greeter says hello, after it has had the name written down.
//   GET /hello/Ada  gives: Hello Ada, you are guest number 2.
import { createServer } from 'node:http';

const ledger = process.env.LEDGER_URL;

const server = createServer(async (request, response) => {
  const [, name] = /^\\/hello\\/(\\w+)$/.exec(request.url) ?? [];
  if (request.url === '/health') return response.end('ok');
  if (name === undefined) return response.writeHead(404).end('try /hello/Ada');
  try {
    const answer = await fetch(ledger + '/guests', { method: 'POST', body: name });
    const guests = await answer.json();
    response.end('Hello ' + name + ', you are guest number ' + guests.length + '.');
  } catch (error) {
    console.error('the ledger cannot be asked: ' + error.message);
    response.writeHead(502).end('the ledger cannot be asked');
  }
});
server.listen(process.env.PORT, '127.0.0.1', () => console.log('the greeter is at the door'));
`;

const firstGuestProgram = `// A job: writes down the first guest, so that the ledger is not empty when the doors open.
const answer = await fetch(process.env.LEDGER_URL + '/guests', { method: 'POST', body: 'the captain' });
if (!answer.ok) throw new Error('the ledger answered ' + answer.status);
console.log('guests: ' + (await answer.text()));
`;

const firstTrial = `# yaml-language-server: $schema=../node_modules/shakedown/schema/trial.schema.json
# A trial says what is done to the system, and what must be true then. Perform it: shakedown run
id: first
title: A guest is greeted by name, and the ledger has them
tags: [smoke]

steps: # what is done, one after the other, from outside
  - http: GET greeter/hello/Ada # METHOD service/path
    as: greeting # the name of what came back
    expect: { status: 200 } # the attempt ends here when this does not hold

checks: # what must be true; each has a verdict of its own
  counted:
    exchange: greeting # what a step got
    expect: { text: { $regex: '^Hello Ada, you are guest number \\d+\\.$' } } # a value, or a pattern as here

  passed-on:
    calls: greeter -> ledger # what the services said to each other
    expect: [{ method: POST, path: /guests, status: 200 }] # exactly this one call

  written-down:
    files: ledger # what a service left in its folder
    path: guests.txt
    as: text
    expect: [{ text: { $contains: "Ada\\n" } }]
`;

const checkProgram = `// A test of the whole system, from outside. Any program can be one: exit code 0 means passed.
// Shakedown sets a variable with the address of each service: greeter -> SHAKEDOWN_GREETER_URL.
const greeter = process.env.SHAKEDOWN_GREETER_URL;
if (!greeter) throw new Error('start it through Shakedown: shakedown up -- node check.mjs');
const answer = await fetch(greeter + '/hello/Ada');
const text = await answer.text();

const expected = 'Hello Ada, you are guest number 2.'; // the captain is number 1
if (text !== expected) throw new Error('expected "' + expected + '", got "' + text + '"');
console.log(text);
`;

const readme = `# Hello

A small system to begin with: a \`greeter\` that calls a \`ledger\`, and a job that runs before the doors open.

    shakedown run                     boot everything, perform the trials, judge them, take everything down
    shakedown up -- node check.mjs    the same with a test program of your own instead of trials
    shakedown up                      boot everything and hold it open; Ctrl-C takes it down
    shakedown doctor                  what this machine can do, and what is missing

While it is up, in another terminal: \`shakedown status\` shows the addresses, \`shakedown logs -f\` the output.

Now see it fail. Break something (misspell \`guests.length\` in \`greeter.mjs\`, or \`/health\` in \`shakedown.yaml\`),
run it again, and read what it says.

Then make it yours:

1. Put your own programs under \`services:\` in \`shakedown.yaml\`. Give each its port, and the addresses of the others,
   in the way that it understands: a variable, an argument, or a config file made from a template.
2. Migrations and first data go under \`jobs:\`, a database under \`resources:\`.
3. Describe in \`trials/*.trial.yaml\` what must be true of it. \`shakedown run --watch\` runs them whenever you save.
4. Tests that you already have: put their command after \`up --\`.

\`.shakedown/\` holds the evidence of each run. You may delete it whenever nothing is up; git ignores it.
\`npm install --save-dev shakedown\` pins the version, and lets your editor complete \`shakedown.yaml\`; then the command is \`npx shakedown\`.
`;

/** Path below the project's folder to content. */
export const projectFiles: ReadonlyMap<string, string> = new Map([
  ['shakedown.yaml', shakedownYaml],
  ['ledger.mjs', ledgerProgram],
  ['greeter.mjs', greeterProgram],
  ['first-guest.mjs', firstGuestProgram],
  ['trials/first.trial.yaml', firstTrial],
  ['check.mjs', checkProgram],
  ['README.md', readme],
]);
