/** Lines of scripts that use the result of a step, and the content of the request: filled in when the request arrives. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
resources:
  model: { kind: model, standing: { "*": [{ when: { text: { $regex: ^echo } }, says: "heard $\${this}: \${request.text}" }] } }
  bank:
    kind: http
    because: it moves money
    standing: [{ on: POST /tickets/*/charges, where: { json: { amount: 0 } }, answer: { json: { free: "\${request.params.0}" } } }]
services:
  desk:
    run: [node, services/makes-ticket-ids.mjs]
    listen: { env: PORT }
    ready: { http: / }
    env: { MODEL_URL: "\${model.url}", MODEL_KEY: "\${model.key}", BANK_URL: "\${bank.url}" }`;

const ticket = (later = '') => `{ http: POST desk/tickets, json: { later: "${later}" }, as: ticket }`;
const ask = (text: string) => `{ http: POST desk/ask, json: { text: "${text}" }, as: asked }`;

test('lines use the result of an earlier step, and the content of the request, and a number stays a number', async () => {
  const project = trialsProject(config, {
    model: `model:
  desk:
    - when: { text: "close \${ticket.json.id}" }
      calls: { close_ticket: { id: "\${ticket.json.id}", note: "for \${ticket.json.id} of \${trial.id}" } }
    - expect: { results: [{ text: "closed \${ticket.json.id}" }] }
      says: "\${ticket.json.id}"
steps: [${ticket()}, ${ask('close ${ticket.json.id}')}]
checks:
  said: { exchange: asked, expect: { json: { text: { $regex: "^\${ticket.json.id}$" } } } }
  called: { calls: desk -> model, where: { crossing: 1 }, expect: [{ turn: { calls: [{ arguments: { id: "\${ticket.json.id}", note: "for \${ticket.json.id} of model" } }] } }] }`,
    results: `model:
  desk:
    - calls: [{ name: open_ticket, args: { about: tea } }, { name: open_ticket, args: { about: milk } }]
    - calls: [{ name: close_ticket, args: { id: "\${request.results.0.json.id}" } }, { name: close_ticket, args: { id: "\${request.result.json.id}" } }]
    - says: "\${request.json.model} \${request.messages.0.text} \${request.result.text}"
steps: [${ask('two')}]
checks:
  said: { exchange: asked, expect: { json: { text: { $regex: "^m two closed [0-9]+$" } } } }
  numbers: { calls: desk -> model, where: { crossing: 2 }, expect: [{ turn: { calls: { $each: { arguments: { id: { $type: integer } } } } } }] }`,
    bank: `peers:
  bank:
    - on: POST /tickets/*/charges
      where: { json: { ticket: "\${ticket.json.id}" } }
      answer: { json: { ticket: "\${ticket.json.id}", of: "\${request.params.0}", in: "\${request.query.currency}" }, headers: { x-ticket: "\${ticket.json.id}" } }
steps:
  - ${ticket()}
  - { http: POST desk/pay, json: { ticket: "\${ticket.json.id}" }, as: paid }
  - { http: POST desk/pay, json: { ticket: "\${ticket.json.id}", amount: 0 }, as: free }
checks:
  paid: { exchange: paid, expect: { json: { ticket: "\${ticket.json.id}", of: { $regex: "^\${ticket.json.id}$" }, in: EUR } } }
  free: { exchange: free, expect: { json: { free: { $regex: "^\${ticket.json.id}$" } } } }`,
    standing: `steps: [${ask('echo ${x}'.replace('$', '$$$$'))}]
checks:
  said: { exchange: asked, expect: { json: { text: "heard $\${this}: echo $\${x}" } } }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

test('work that a step starts in the background may use its answer, and so may a flow', async () => {
  const project = trialsProject(
    config,
    {
      behind: `model: { desk: [{ when: { text: "ticket \${ticket.json.id}" }, calls: { close_ticket: { id: "\${ticket.json.id}" } } }, { says: Done. }] }
steps:
  - ${ticket('after')}
  - { quiet: true }
  - { http: GET desk/, as: seen }
checks: { closed: { exchange: seen, expect: { json: { closed: { $contains: ["\${ticket.json.id}"] } } } } }`,
    },
    {
      'trials/one.flow.ts': `import { flow } from 'shakedown';
flow('a ticket is closed', {
  id: 'flow',
  model: { desk: [{ calls: { close_ticket: { id: '\${ticket.json.id}' } } }, { says: 'Closed \${ticket.json.id}.' }] },
}, async ({ http, check }) => {
  const desk = http('desk');
  const ticket = await desk.post('/tickets', { json: {}, as: 'ticket' });
  const asked = await desk.post('/ask', { json: { text: 'close it' } });
  check('said', asked, { json: { text: \`Closed \${ticket.json.id}.\` } });
});
`,
    },
  );
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

test('a reference without a value at the time of the request is reported with its line, and with what was known', async () => {
  const project = trialsProject(config, {
    own: `model: { desk: [{ says: "\${earlier.status}" }, { says: "\${ticket.json.id}" }] }
steps: [{ http: GET desk/, as: earlier }, ${ask('first')}, ${ticket('before')}]`,
    absent: `model: { desk: [{ says: "\${request.results.0.text}" }] }\nsteps: [${ask('hello')}]`,
    nothing: `model: { desk: [{ says: "\${ticket.json.number}" }] }\nsteps: [${ticket()}, ${ask('hello')}]`,
    typo: `model: { desk: [{ says: "\${ticket.json.idd}" }] }\nsteps: [${ticket()}, ${ask('hello')}]`,
    wrapped: `model: { desk: [{ says: "\${request.messages.0.txt}" }] }\nsteps: [${ask('hello')}]`,
    'bank-absent': `peers: { bank: [{ on: POST /**, answer: { json: { to: "\${request.json.to}" } } }] }
steps: [{ http: POST desk/pay, json: { ticket: 1 } }]`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(1);
  const shown = (id: string): string => JSON.stringify(run.trial(id));
  expect(shown('own')).toMatch(
    /line 2 .*\$\{ticket\.json\.id\}.*the step `ticket` had not ended \(known: earlier\.status\)/,
  );
  expect(shown('absent')).toMatch(/line 1 .*\$\{request\.results\.0\.text\}.*the request has no/);
  expect(shown('nothing')).toMatch(/line 1 .*\$\{ticket\.json\.number\}.*the step `ticket` gave no/);
  expect(shown('typo')).toContain('gave no json.idd; did you mean ${ticket.json.id}? known: ticket.json.id');
  expect(shown('wrapped')).toContain('no messages.0.txt; did you mean ${request.messages.0.text}? known: ');
  expect(shown('bank-absent')).toMatch(/line 1.*\$\{request\.json\.to\}.*the request has no/);
});

test('an unknown step, and an unknown field of the request, are reported before anything is started', async () => {
  const project = trialsProject(config, {
    wrong: `model: { desk: [{ says: "\${tickte.json.id} \${request.txt}" }] }
peers: { bank: [{ on: POST /, answer: { text: "\${request.jsn.id} \${ticket.status}" } }] }
steps: [${ticket()}, ${ask('hello')}]`,
  });
  const { code, output } = await project.run(['lint']);
  const text = unfolded(output);
  expect(code, text).toBe(2);
  expect(text).toContain('did you mean `ticket`?');
  expect(text).toContain('did you mean `${request.text}`?');
  expect(text).toContain('did you mean `${request.json}`?');
  expect(text).not.toContain('`${ticket.status}`');
});

test('a case gives the whole script of a model, and of a third party', async () => {
  const project = trialsProject(config, {
    lines: `cases:
  at-once: { lines: [{ says: "Hello, \${case.who}." }], who: ann, said: "Hello, ann.", calls: 1, bank: [] }
  with-a-tool:
    lines: [{ calls: { close_ticket: { id: 7 } } }, { says: "\${request.result.text}" }]
    said: closed 7
    calls: 2
    bank: [{ on: POST /tickets/*/charges, answer: { json: { of: "\${request.params.0}" } } }]
model: { desk: "\${case.lines}" }
peers: { bank: "\${case.bank}" }
steps: [${ask('hello')}, { http: POST desk/pay, json: { ticket: 7, amount: 0 }, as: paid }]
checks:
  said: { exchange: asked, expect: { json: { text: "\${case.said}" } } }
  asked: { calls: desk -> model, count: "\${case.calls}" }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

test('a script of a case that is not one is reported at its place, before anything is started', async () => {
  const wrong = {
    absent: `cases: { one: { liens: [{ says: a }] } }\nmodel: { desk: "\${case.lines}" }`,
    single: `cases: { one: { lines: { says: a } } }\nmodel: { desk: "\${case.lines}" }`,
    line: `cases: { one: { lines: [{ says: a }, { sais: b }] } }\nmodel: { desk: "\${case.lines}" }`,
    whole: `cases: { one: { model: { desk: [{ says: a }] } } }\nmodel: "\${case.model}"`,
    step: `model: { desk: "\${ticket.json}" }`,
  };
  const steps = `steps: [${ask('hello')}]`;
  const trials = Object.entries(wrong).map(([id, text]) => [id, `${text}\n${steps}`]);
  const { code, output } = await trialsProject(config, Object.fromEntries(trials)).run(['run']);
  expect(code).toBe(2);
  const text = unfolded(output);
  for (const said of [
    'the case `one` has no value for ${case.lines}',
    '${case.lines} is not a list of lines',
    /line\.trial\.yaml:2:40 .*`sais` is not a key of `cases\.one\.lines\[1\]`.*did you mean `says`/,
    'write it below the service that calls: `model: { agent: "${case.model}" }`',
    /step\.trial\.yaml:\d+:\d+ .*a list of lines, or \$\{case\.…\} for the whole list/,
  ])
    expect(text).toMatch(said);
});
