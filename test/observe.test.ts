/** `run --observe -- COMMAND`: the report on foreign tests is what happened, and nothing is left. */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunVerdict } from '../src/checks/verdict.ts';
import type { Observation } from '../src/journal/observation.ts';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { unfolded } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const config = `name: pair
settle: 20ms
secrets: [API_TOKEN]
logs: { error: "COMPLAINT" }
services:
  front:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { NAME: front, PEER: "\${back.url}" }
    ready: { tcp: true }
  back:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { NAME: back, ELSEWHERE: "https://api.example.com/v1" }
    ready: { tcp: true }
`;

/** A minimal runner: executes its arguments, and writes JUnit with the times. */
const runner = `
import { writeFileSync } from 'node:fs';
const tests = {
  talks: () => fetch(process.env.SHAKEDOWN_FRONT_URL + '/peer'),
  idles: () => undefined,
  fails: () => { throw new Error('one & two <differ> ' + (process.env.API_TOKEN ?? '')); },
};
const cases = [];
const begin = new Date();
for (const name of process.argv.slice(2)) {
  const at = performance.now();
  let fault = '';
  try {
    await tests[name]();
  } catch (error) {
    fault = \`<failure message="\${error.message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}"/>\`;
    process.exitCode = 1;
  }
  await new Promise((resolve) => setTimeout(resolve, 60));
  cases.push(\`<testcase classname="suite" name="\${name}" file="tests/\${name}.py" line="7" time="\${(performance.now() - at) / 1000}">\${fault}</testcase>\`);
}
const time = (Date.now() - begin) / 1000;
console.log('it ran', process.argv.slice(2).join(' '));
const suite = \`<testsuite name="suite" timestamp="\${begin.toISOString()}" time="\${time}">\`;
writeFileSync(process.env.SHAKEDOWN_JUNIT, \`<testsuites>\${suite}\${cases.join('')}</testsuite></testsuites>\`);
`;

function pair(): Project {
  return makeProject({ 'shakedown.yaml': config, 'runner.mjs': runner });
}

const latest = (project: Project, file: string): string =>
  readFileSync(path.join(project.folder, '.shakedown/latest', file), 'utf8');

test('tests, calls per edge, edges without calls or without a tap: reported as text and as JSON', async () => {
  const project = pair();
  const result = await project.run(
    ['run', '--observe', '--', 'node', 'runner.mjs', 'talks', 'idles', 'fails'],
    {
      env: { API_TOKEN: 'very-secret-token' },
    },
  );
  expect(project.left(), result.output).toEqual(nothing);
  expect(result.code, result.output).toBe(1);
  const text = unfolded(result.stdout);
  expect(text).toMatch(/^it ran talks idles fails/);
  expect(text).toContain('node runner.mjs talks idles fails ended with 1 after');
  expect(text).toContain('3 in the report: 2 passed, 1 failed');
  expect(text).toContain('✗ suite › fails (tests/fails.py:7): one & two <differ>');
  expect(text).toContain('nothing was called in suite › idles, suite › fails');
  expect(text).toMatch(/outside -> front\s+1 call, 200 ×1/);
  expect(text).toMatch(/front -> back\s+1 call, 200 ×1/);
  expect(text).toContain('never crossed: outside -> back');
  expect(text).toContain('back -> https://api.example.com/v1 (env ELSEWHERE): outside of the system');
  const seen = JSON.parse(latest(project, 'observe.json')) as Observation;
  expect(seen.tests).toMatchObject([
    { id: 'suite › talks', outcome: 'passed', touches: { 'outside -> front': 1, 'front -> back': 1 } },
    { id: 'suite › idles', outcome: 'passed', touches: {}, mayTouch: [] },
    { id: 'suite › fails', outcome: 'failed', file: 'tests/fails.py', line: 7 },
  ]);
  const verdict = JSON.parse(latest(project, 'verdict.json')) as RunVerdict;
  expect(verdict.trials.map(({ id, verdict: one }) => [id, one])).toEqual([
    ['command', 'failed'],
    ['suite › talks', 'passed'],
    ['suite › idles', 'passed'],
    ['suite › fails', 'failed'],
  ]);
  expect(verdict.trials[0]?.checks.map(({ id, verdict: one }) => `${id} ${one}`)).toEqual([
    'exit-code failed',
    'touches passed',
    'logs passed',
    'processes passed',
  ]);
  expect(verdict.trials[0]?.repro).toBe('shakedown run --observe -- node runner.mjs talks idles fails');
  expect(latest(project, 'command.log')).toBe('it ran talks idles fails\n');
  for (const file of ['observe.json', 'verdict.json', 'junit.xml', 'tests.xml'])
    expect(latest(project, file), file).toMatch(/‹secret:API_TOKEN›/);
  // Foreign tests cannot be performed as trials.
  const failed = await project.run(['run', '--last-failed', '--list']);
  expect(failed.output).not.toContain('suite ›');
});

interface Shown {
  readonly what: string;
  readonly words: readonly string[];
  readonly code: number;
  readonly why: RegExp;
}

const sh = (script: string): readonly string[] => ['--', 'sh', '-c', script];
const call = 'node -e "fetch(process.env.SHAKEDOWN_FRONT_URL)"';
const write = (xml: string): string => `${call}; printf '%s' '${xml}' > "$SHAKEDOWN_JUNIT"`;

const shown: readonly Shown[] = [
  { what: 'all is well, and no report', words: sh(call), code: 0, why: /^$/ },
  {
    what: 'touches nothing',
    words: sh('echo fine'),
    code: 6,
    why: /the command touched nothing of the system/,
  },
  {
    what: 'a log that was emptied',
    words: sh(`${call}; : > "$(dirname "$SHAKEDOWN_JUNIT")/services/front.log"`),
    code: 6,
    why: /a log was lost: front: it was emptied/,
  },
  { what: 'ended by a signal', words: sh(`${call}; kill -SEGV $$`), code: 1, why: /it was ended by SIGSEGV/ },
  {
    what: 'hangs, and so does what it started',
    words: ['--timeout', '1s', ...sh(`${call}; setsid sleep 1000 & env -i sleep 1000 & sleep 1000`)],
    code: 1,
    why: /it had not ended after 1.00 s, and was killed with everything it had started/,
  },
  {
    what: 'a broken report',
    words: sh(write('<testsuites><testcase name="a"/><test')),
    code: 6,
    why: /tests.xml: line 1: a tag is not closed/,
  },
  {
    what: 'no report at all in it',
    words: sh(write('not xml')),
    code: 6,
    why: /tests.xml: it contains no <testsuites>/,
  },
  {
    what: 'a huge report',
    words: sh(`${call}; truncate -s 65M "$SHAKEDOWN_JUNIT"`),
    code: 6,
    why: /which exceeds the limit/,
  },
  {
    what: 'a report without tests',
    words: sh(write('<testsuites></testsuites>')),
    code: 6,
    why: /no test ran: .*tests.xml names none/,
  },
  {
    what: 'every test skipped',
    words: sh(write('<testsuite><testcase name="a"><skipped/></testcase></testsuite>')),
    code: 6,
    why: /no test ran: all 1 were skipped/,
  },
  {
    what: 'a failed test that fails nothing',
    words: sh(write('<testsuite><testcase name="a"><error message="boom"/></testcase></testsuite>')),
    code: 1,
    why: /it ended with 0, although one test failed.* a: boom/,
  },
  {
    what: 'a report of yesterday',
    words: ['--junit', 'old.xml', ...sh(call)],
    code: 6,
    why: /old.xml: it existed before, and the command did not write it/,
  },
  {
    what: 'a report that was asked for',
    words: ['--junit', 'out/*.xml', ...sh(call)],
    code: 6,
    why: /out\/\*.xml: there is no such file/,
  },
  {
    what: 'one of two reports that were asked for',
    words: ['--junit', 'out.xml,other/*.xml', ...sh(`${call}; cp old.xml out.xml`)],
    code: 6,
    why: /^other\/\*.xml: there is no such file$/,
  },
  {
    what: 'a report that the command line names',
    words: [...sh(call), '${junit}'],
    code: 6,
    why: /tests.xml: the command line names it, but the command did not write it/,
  },
  {
    what: 'a file that could not be loaded',
    words: sh(
      write('<testsuites><testsuite name="a.js"><error message="no such module"/></testsuite></testsuites>'),
    ),
    code: 1,
    why: /it ended with 0, although one test failed.* a.js › the suite itself: no such module/,
  },
  {
    what: 'a report that says more than it holds',
    words: sh(write('<testsuite name="s" tests="2" failures="1"><testcase name="a"/></testsuite>')),
    code: 6,
    why: /tests.xml: <testsuite name="s"> says failures="1", but contains 0/,
  },
  {
    what: 'a folder without a report',
    words: sh(`${call}; mkdir "$SHAKEDOWN_JUNIT"; cp old.xml "$SHAKEDOWN_JUNIT/old.txt"`),
    code: 6,
    why: /tests.xml: there is no \*.xml in this folder/,
  },
  {
    what: 'an error line of a service',
    words: sh(`${call}; node -e "fetch(process.env.SHAKEDOWN_FRONT_URL + '/complain')"`),
    code: 1,
    why: /front: COMPLAINT about complain/,
  },
];

/** Begins a stream of events for every request, answers the call with the id 1 in it, and never ends it. */
const streams = `
import http from 'node:http';
http.createServer(async (request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const [body] = request.method === 'POST' ? await request.toArray() : [];
  if (body && JSON.parse(body).id === 1) response.write('data: {"jsonrpc":"2.0","id":1,"result":{}}\\n\\n');
}).listen(process.env.PORT, '127.0.0.1');
`;
const client = `
const url = process.env.SHAKEDOWN_TOOLS_URL + '/mcp';
const send = (id) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }) });
const reader = (await fetch(url, send(1))).body.getReader();
await reader.read();
await reader.cancel();
await (await fetch(url)).body.cancel();
await fetch(url, send(2));
process.exit();
`;

test('an answer in a stream is whole whichever side ends the stream, and a stream without one is not an answer', async () => {
  const tools = 'tools: { run: [node, streams.mjs], listen: { env: PORT }, ready: { tcp: true } }';
  const project = makeProject({
    'shakedown.yaml': `name: streams\nservices:\n  ${tools}\n`,
    'streams.mjs': streams,
    'client.mjs': client,
  });
  const { output } = await project.run(['run', '--observe', '--', 'node', 'client.mjs']);
  expect(output).toMatch(/outside -> tools {2}3 calls, 200 ×2, none ×1, 1 error$/m);
  expect(project.left(), output).toEqual(nothing);
});

test('every outcome of a command is reported correctly', async () => {
  needs('setsid');
  const project = makeProject({
    'shakedown.yaml': config
      .replaceAll('services/answers.mjs', 'complains.mjs')
      .replace(/ {2}back:[\s\S]*/, '')
      .replace(', PEER: "${back.url}"', ''),
    'complains.mjs': `import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.url === '/complain') console.log('COMPLAINT about complain');
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');`,
    'old.xml': '<testsuite><testcase name="a"/></testsuite>',
  });
  const look = async ({ what, words, code, why }: Shown): Promise<void> => {
    const result = await project.run(['run', '--observe', '--json', ...words]);
    const lines = result.stdout.trimEnd().split('\n');
    expect(lines, `${what}: ${result.output}`).toHaveLength(1);
    const verdict = JSON.parse(lines[0] ?? '') as RunVerdict & { readonly observed: Observation };
    expect([what, result.code, verdict.exitCode]).toEqual([what, code, code]);
    expect(verdict.reasons.map(({ text }) => text).join(' '), what).toMatch(why);
    if (what.startsWith('hangs')) expect(verdict.observed.strays.join()).toContain('sleep 1000');
  };
  const waiting = [...shown];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await look(next);
  };
  await Promise.all([worker(), worker(), worker()]);
  expect(project.left()).toEqual(nothing);
}, 180_000);

test('a folder of reports is read, and keeps no secret', async () => {
  const project = pair();
  const report = '<testsuite><testcase name="a"><system-out>%s</system-out></testcase></testsuite>';
  const script = `${call}; mkdir -p "$SHAKEDOWN_JUNIT/raw"; printf '${report}' "$API_TOKEN" > "$SHAKEDOWN_JUNIT/a.xml"; cp "$SHAKEDOWN_JUNIT/a.xml" "$SHAKEDOWN_JUNIT/raw/b.txt"`;
  const result = await project.run(['run', '--observe', ...sh(script)], {
    env: { API_TOKEN: 'very-secret-token' },
  });
  expect(result.code, result.output).toBe(0);
  expect(unfolded(result.stdout)).toContain('1 in the report: 1 passed');
  for (const file of ['tests.xml/a.xml', 'tests.xml/raw/b.txt'])
    expect(latest(project, file), file).toContain('‹secret:API_TOKEN›');
  // The report names no file; its path differs in every run.
  expect(latest(project, 'junit.xml')).toContain('<testcase name="a" classname="shakedown.yaml"');
});

test('a command that cannot be started is a usage error', async () => {
  const project = pair();
  writeFileSync(path.join(project.folder, 'plain.sh'), 'echo hi\n');
  writeFileSync(path.join(project.folder, 'odd.sh'), '#!/no/such/interpreter\n');
  chmodSync(path.join(project.folder, 'odd.sh'), 0o755);
  for (const [words, why] of [
    [['no-such-runner-anywhere'], 'the program `no-such-runner-anywhere` was not found'],
    [['./plain.sh'], 'check the path, and that the file may be executed (chmod +x)'],
  ] as const) {
    const result = await project.run(['run', '--observe', '--', ...words]);
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(`error[command.not-started]`)]);
    expect(result.stderr).toContain(why);
    // It was known before anything was booted.
    expect(existsSync(path.join(project.folder, '.shakedown/runs'))).toBe(false);
  }
  const odd = await project.run(['run', '--observe', '--', './odd.sh']);
  expect([odd.code, odd.stderr]).toEqual([
    2,
    expect.stringMatching(/`\.\/odd\.sh` could not be started: ENOENT/),
  ]);
  expect(project.left()).toEqual(nothing);
});

test.each([
  ['no command', ['run', '--observe'], 'there is no command after `--`'],
  ['a command without --observe', ['run', '--', 'true'], 'shakedown run --observe -- …'],
  ['a choice of trials', ['run', '--observe', '--tag', 'a', '--', 'true'], '`--tag` applies to trials'],
  ['a trial', ['run', '--observe', 'a/b', '--', 'true'], 'the word "a/b" would select trials'],
  ['no time', ['run', '--observe', '--timeout', 'soon', '--', 'true'], 'invalid duration "soon"'],
  ['a report of nothing', ['run', '--junit', 'a.xml'], 'the option applies to a command, but there is none'],
])('%s is refused', async (_, words, why) => {
  const result = await pair().run(words);
  expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(why)]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  // Then only the guard is left to end anything.
  ['SIGKILL', null],
] as const)('ended by %s, the command and the system end, and nothing is left', async (signal, code) => {
  needs('setsid');
  const project = pair();
  const hidden =
    'setsid sleep 1000 & echo "<t>$API_TOKEN</t>" > $SHAKEDOWN_JUNIT; echo $API_TOKEN begun; sleep 1000';
  const env = { API_TOKEN: 'very-secret-token' };
  const running = startRunning(project, ['run', '--observe', '--', 'sh', '-c', hidden], env);
  await running.says('begun');
  running.child.kill(signal);
  expect(await running.ended, running.text()).toBe(code);
  await until('nothing is left', 20_000, () => project.left(), isNothing);
  for (const file of ['command.log', 'tests.xml']) {
    expect(latest(project, file)).toContain('‹secret:API_TOKEN›');
    expect(latest(project, file)).not.toContain('very-secret-token');
    expect(statSync(path.join(project.folder, '.shakedown/latest', file)).mode & 0o777, file).toBe(0o600);
  }
});
