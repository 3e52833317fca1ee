/** A secret in another form is another value: checks distinguish them, in a run and when the run is judged again. */
import { expect, test } from 'vitest';
import { latestVerdict, trialsProject } from './harness/trials-project.ts';

const key = 'sk-9f"x/k+~3?>zQ';
const forms: Readonly<Record<string, string>> = {
  raw: key,
  base64: Buffer.from(key).toString('base64'),
  basic: Buffer.from(`user:${key}`).toString('base64'),
  hex: Buffer.from(key).toString('hex'),
  percent: encodeURIComponent(key),
  strict: encodeURIComponent(key).toLowerCase(),
  json: JSON.stringify(JSON.stringify(key)),
  html: key.replaceAll('"', '&quot;').replaceAll('>', '&gt;'),
};

const echo = `import http from 'node:http';
http.createServer((request, response) => {
  const said = Buffer.from(request.url.slice(1), 'base64url').toString();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ said, pin: Number(process.env.PIN) }));
}).listen(Number(process.env.PORT));
`;

test('what is equal passes, and what differs only in its form does not', async () => {
  const trial = (said: string, expected: string): string =>
    `steps: [{ http: GET web/${Buffer.from(said).toString('base64url')}, as: it }]
checks: { said: { exchange: it, expect: { json: { said: ${JSON.stringify(expected)} } } } }`;
  const leak = (pattern: object): string =>
    trial(`the key is ${key}`, '').replace('said: ""', `said: ${JSON.stringify(pattern)}`);
  const names = Object.keys(forms);
  const pairs = names.flatMap((a) => names.map((b) => [a, b] as const));
  const wanted = pairs.filter(([a, b]) => a === b || a === 'raw' || b === 'raw' || a === 'base64');
  const project = trialsProject(
    `isolation: shared
secrets: [KEY, PIN]
services: { web: { run: [node, echo.mjs], listen: { env: PORT }, env: { KEY: "\${env.KEY}", PIN: "\${env.PIN}" } } }`,
    {
      ...Object.fromEntries(wanted.map(([a, b]) => [`${a}-${b}`, trial(forms[a] ?? '', forms[b] ?? '')])),
      reference: trial(key, '${env.KEY}'),
      'not-the-reference': trial(forms.base64 ?? '', '${env.KEY}'),
      forged: trial('‹secret:KEY›', '${env.KEY}'),
      'forged-form': trial('‹secret:KEY:base64›', forms.base64 ?? ''),
      'forged-number': trial('‹secret:PIN:number›', '').replace('said: ""', 'said: 482913'),
      'leak-regex': leak({ $not: { $regex: 'sk-[a-z0-9]+' } }),
      'leak-contains': leak({ $not: { $contains: 'sk-9' } }),
      'leak-length': leak({ $length: { $lt: 40 } }),
      'leak-whole': leak({ $not: { $contains: '${env.KEY}' } }),
      'leak-around': leak({ $contains: 'the key is' }),
      number:
        'steps: [{ http: GET web/x, as: it }]\nchecks: { pin: { exchange: it, expect: { json: { pin: 482913 } } } }',
      text: 'steps: [{ http: GET web/x, as: it }]\nchecks: { pin: { exchange: it, expect: { json: { pin: "482913" } } } }',
    },
    { 'echo.mjs': echo },
  );
  const env = { KEY: key, PIN: '482913' };
  const { output } = await project.run(['run'], { env });
  expect(output.replaceAll(/\s+/g, ' ')).toContain(
    'the text contains the secret KEY, of which only a token is kept',
  );
  const { verdicts } = latestVerdict(project);
  const expected = {
    ...Object.fromEntries(wanted.map(([a, b]) => [`${a}-${b}`, a === b ? 'passed' : 'failed'])),
    reference: 'passed',
    'not-the-reference': 'failed',
    forged: 'failed',
    'forged-form': 'failed',
    'forged-number': 'failed',
    'leak-regex': 'unknown',
    'leak-contains': 'unknown',
    'leak-length': 'unknown',
    'leak-whole': 'failed',
    'leak-around': 'passed',
    number: 'passed',
    text: 'failed',
  };
  expect(verdicts, output).toEqual(expected);
  await project.run(['judge'], { env: {} });
  expect(latestVerdict(project).verdicts).toEqual(expected);
});

function measured(pattern: object, length: number): string {
  return `steps: [{ http: GET web/${Buffer.from('x'.repeat(length)).toString('base64url')}, as: it }]
checks: { said: { exchange: it, expect: { json: { said: { $length: ${JSON.stringify(pattern)} } } } } }`;
}

test('secrets that are words of the record of a trial, its bounds, or parts of each other change no verdict', async () => {
  const project = trialsProject(
    `secrets: [S1, S2, S4, YEAR, MOST, URL, WORD]
services: { web: { run: [node, echo.mjs], listen: { env: PORT }, ready: { tcp: true } } }`,
    {
      'not-more': measured({ $not: { $gt: 1000 } }, 2000),
      less: measured({ $lt: 1000 }, 900),
      inside: `steps: [{ http: GET web/${Buffer.from('at postgres://u:hunter2xyz9@db').toString('base64url')}, as: it }]
checks: { said: { exchange: it, expect: { json: { said: { $not: { $contains: "\${env.WORD}" } } } } } }`,
      plain:
        'steps: [{ http: GET web/aGk, as: it }]\nchecks: { said: { exchange: it, expect: { json: { said: hi } } } }',
    },
    { 'echo.mjs': echo },
  );
  const env = {
    S1: 'quiet',
    S2: 'exchange',
    S4: 'done',
    YEAR: String(new Date().getFullYear()),
    MOST: '1000',
    URL: 'postgres://u:hunter2xyz9@db',
    WORD: 'hunter2xyz9',
  };
  const { output } = await project.run(['run'], { env });
  expect(latestVerdict(project).verdicts, output).toEqual({
    'not-more': 'failed',
    less: 'passed',
    inside: 'failed',
    plain: 'passed',
  });
});
