/** Plants secrets over every channel and in every form, performs a real run, and searches for them in everything that is left. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Planted {
  readonly name: string;
  readonly channel: string;
  readonly form: string;
  readonly value: string;
}

/** Forms in which every run of letters and digits reveals the value. */
const laterForms = ['numbers', 'typed-array', 'hex-numbers', 'json-inside', 'signs', 'code-points'];
const forms = [
  'raw',
  'base64',
  'basic',
  'hex',
  'percent',
  'percent-all',
  'json',
  'json-twice',
  'unicode',
  'html',
  'wrapped',
  ...laterForms,
];
/** What the service prints or sends in any form. */
const serviceChannels = [
  'stdout',
  'stderr',
  'file',
  'third-party-request',
  'third-party-header',
  'prompt',
  'span',
  'tool',
  'response',
  'response-key',
  'response-header',
  'failure',
  'golden',
  'tcp',
];
/** What the trial, the config and a program contain or print, in one form each. */
const fixedChannels: readonly (readonly [channel: string, form: string])[] = [
  ['lines', 'raw'],
  ['lines', 'line-ends'],
  ['stderr', 'coloured'],
  ['stdout', 'decoded'],
  ['stdout', 'columns'],
  ['stderr', 'columns'],
  ['response', 'columns'],
  ['file-name', 'hex'],
  ['response-number', 'raw'],
  ['request-header', 'raw'],
  ['request-body', 'raw'],
  ['request-query', 'raw'],
  ['request-literal', 'base64'],
  ['command-argument', 'raw'],
  ['command-output', 'base64'],
  ['flow-output', 'raw'],
  ['third-party-answer', 'raw'],
  ['third-party-answer', 'base64'],
  ['model-line', 'raw'],
  ['model-line', 'base64'],
  ['job-output', 'raw'],
  ['row', 'raw'],
  ['resource-url', 'raw'],
  ['service-argument', 'raw'],
];

export function plantedSecrets(count: number): readonly Planted[] {
  const pairs = [
    ...fixedChannels,
    ...Array.from({ length: Math.max(0, count - fixedChannels.length) }, (_, index) => [
      serviceChannels[index % serviceChannels.length] ?? '',
      forms[index % forms.length] ?? '',
    ]),
  ];
  return pairs.map(([channel = '', form = ''], index) => {
    const name = `S${String(index).padStart(2, '0')}`;
    return { name, channel, form, value: drawValue(channel, form, index) };
  });
}

function drawValue(channel: string, form: string, index: number): string {
  const drawn = createHash('sha256').update(`secret ${index}`).digest('base64url');
  if (channel === 'response-number')
    return String(Number.parseInt(createHash('sha256').update(channel).digest('hex').slice(0, 12), 16));
  if (form === 'decoded') return Buffer.from(JSON.stringify({ client_secret: drawn })).toString('base64');
  if (form === 'code-points') return `Grün-${drawn.slice(0, 20)}-Tür`;
  if (form === 'json-inside') return `${drawn.slice(0, 16)}/${drawn.slice(16)}`;
  if (form === 'columns' || form === 'signs')
    return `sk-proj-${drawn}${createHash('sha512').update(drawn).digest('base64url')}`.slice(0, 125);
  if (form === 'line-ends') return `${drawn.slice(0, 20)}\\n${drawn.slice(20)}\\n`;
  if (channel === 'lines')
    return `${drawn.slice(0, 20)}\n${drawn.slice(20)}/+a b\n${drawn.slice(2, 9)} ends it\n`;
  if (channel === 'resource-url') return `pw-${drawn.slice(0, 16)}`;
  if (['request-header', 'request-query', 'service-argument', 'command-argument'].includes(channel))
    return `${drawn.slice(0, 24)}~.k`;
  return index % 3 === 0 ? `${drawn.slice(0, 20)}/+"é&<k> ${drawn.slice(20, 26)}` : drawn.slice(0, 30);
}

/** The files of a project in which all of them are planted; the service is `leaks-secrets.mjs`. */
export function plantedProject(
  planted: readonly Planted[],
  pgModule: string,
): Readonly<Record<string, string>> {
  const named = (channel: string): readonly string[] =>
    planted.flatMap((one) => (one.channel === channel ? [one.name] : []));
  const list = JSON.stringify(planted.map(({ name, channel, form }) => ({ name, channel, form })));
  const literal = planted.find(({ channel }) => channel === 'request-literal');
  const [header = '', body = '', query = '', argument = '', output = ''] = [
    'request-header',
    'request-body',
    'request-query',
    'command-argument',
    'command-output',
  ].map((channel) => named(channel)[0]);
  return {
    'shakedown.config.ts': `const env = process.env as Record<string, string>;
const planted: { name: string; channel: string; form: string }[] = ${list};
const said = (channel: string) => planted.filter((one) => one.channel === channel).map(({ name, form }) => form === 'raw' ? env[name] : Buffer.from(env[name] ?? '').toString('base64'));
const passed = Object.fromEntries(planted.map(({ name }) => [name, env[name]]));
export default {
  name: 'leaky',
  trials: 'trials/**',
  settle: '50ms',
  secrets: planted.map(({ name }) => name),
  resources: {
    db: { kind: 'postgres' },
    traces: { kind: 'telemetry' },
    bank: { kind: 'http', because: 'it moves money', upstream: { url: 'http://user:' + said('resource-url')[0] + '@127.0.0.1:1/', key: 'NO_KEY' }, standing: [{ on: 'POST /pay', answer: { json: { said: said('third-party-answer') } } }] },
    model: { kind: 'model', because: 'a real one costs money', standing: { '*': [{ says: said('model-line').join(' and ') }] } },
  },
  jobs: { fill: { run: ['node', 'fill.mjs'], env: { DATABASE_URL: '\${db.url}', SAID: said('job-output')[0], ROW: said('row')[0] }, inputs: ['fill.mjs'] } },
  services: {
    web: {
      run: ['node', 'services/leaks-secrets.mjs', said('service-argument')[0]],
      listen: [{ env: 'PORT' }, { name: 'line', env: 'TCP_PORT' }],
      env: { ...passed, PLANTED: ${JSON.stringify(list)}, DIR: '\${self.dir}', BANK: '\${bank.url}', MODEL: '\${model.openaiUrl}', MODEL_KEY: '\${model.key}', TRACES: '\${traces.url}' },
      ready: { log: 'listening' },
      after: ['fill'],
    },
  },
};
`,
    'fill.mjs': fillText(pgModule),
    'trials/leak.trial.yaml': `id: leak
steps:
  - http: "POST web/emit?q=\${env.${query}}"
    headers: { x-sent: "\${env.${header}}", authorization: "Bearer \${env.${header}}" }
    json: { sent: "\${env.${body}}", literal: ${JSON.stringify(Buffer.from(literal?.value ?? '').toString('base64'))} }
    as: emitted
  - { command: [node, -e, "console.log(process.argv[1], Buffer.from(process.env.OUT ?? '').toString('base64'))", "\${env.${argument}}"], env: { OUT: "\${env.${output}}" }, as: printed }
  - { mcp: web, tool: look, as: looked }
  - { tcp: web.line, as: line, expect: { closedBy: peer } }
checks:
  rows: { rows: db.public.notes, expect: [{ note: nothing }] }
  files: { files: web, expect: [] }
  spans: { spans: web, expect: [] }
  calls: { calls: web -> bank, count: 0 }
  golden: { exchange: emitted, golden: true }
  wrong: { exchange: emitted, expect: { json: { wrong: nothing } } }
`,
    'trials/leak.flow.ts': `import { flow } from 'shakedown';
flow('flows', { id: 'flows' }, async (t) => {
  console.log('the flow says ' + process.env.${named('flow-output')[0] ?? 'NONE'});
  await t.http('GET web/');
  throw new Error('the flow ends');
});
`,
  };
}

function fillText(pgModule: string): string {
  return `import pg from ${JSON.stringify(pgModule)};
console.log('filling with ' + process.env.SAID);
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query('create table notes (note text)');
await client.query('insert into notes values ($1)', [process.env.ROW]);
await client.end();
`;
}

export interface SecretsReport {
  readonly planted: number;
  /** Recorded, and replaced by tokens in what is left. */
  readonly arrived: number;
  readonly missing: readonly string[];
  readonly leaked: readonly string[];
}

/** Looks through every file below the folder, apart from those that were planted. */
export function lookForSecrets(
  folder: string,
  planted: readonly Planted[],
  own: ReadonlySet<string>,
): SecretsReport {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .filter((file) => !own.has(file) && !file.startsWith('services/'));
  const read = files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'latin1');
    return [[file, text] as const, ...unpacked(file, text)];
  });
  const texts = read.map(([file, text]) => {
    return [file, `${text}\n${text.replaceAll(/(?:[\s,"]|\\+n?)+/g, ' ')}`] as const;
  });
  const all = texts.map(([, text]) => text).join('\n');
  const token = (name: string): boolean => new RegExp(`secret:${name}[:\u00e2]`).test(all);
  const leaked = planted.flatMap(({ name, channel, form, value }) => {
    const traces = [
      ...tracesOf(value),
      ...(form === 'decoded' ? tracesOf(decodedSecret(value)) : []),
      ...(laterForms.includes(form) ? (value.match(/[A-Za-z0-9]{12,}/g) ?? []).flatMap(tracesOf) : []),
      ...(form === 'columns' ? (value.match(/.{8}/g) ?? []).map((piece) => ['piece', piece] as const) : []),
    ];
    return texts.flatMap(([file, text]) =>
      traces.flatMap(([kind, trace]) =>
        text.includes(trace) ? [`${name} (${channel}, ${form}) as ${kind} in ${file}`] : [],
      ),
    );
  });
  const missing = planted
    .filter(({ name }) => !token(name))
    .map(({ name, channel, form }) => `${name} (${channel}, ${form})`);
  return { planted: planted.length, arrived: planted.length - missing.length, missing, leaked };
}

/** What a report embeds is compressed. */
function unpacked(file: string, text: string): readonly (readonly [file: string, text: string])[] {
  if (!file.endsWith('.html')) return [];
  const packed = text.matchAll(/<script type="application\/octet-stream" id="([^"]+)">([^<]*)</g);
  return [...packed].map(([, id, base64 = '']) => {
    return [`${file} (${id})`, gunzipSync(Buffer.from(base64, 'base64')).toString('latin1')] as const;
  });
}

function decodedSecret(value: string): string {
  return (JSON.parse(Buffer.from(value, 'base64').toString()) as { client_secret: string }).client_secret;
}

/** By other means than those of the redactor: the beginning of a value, and of each of its forms, reveals it. */
function tracesOf(value: string): readonly (readonly [kind: string, trace: string])[] {
  const bytes = Buffer.from(value);
  const beginning = bytes.subarray(0, 12);
  const spelled = (spell: (byte: number) => string): string =>
    [...beginning.subarray(0, 8)].map(spell).join('');
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
  const lines = value.split(/\n|\\n/).filter((line) => line.length >= 6);
  return [
    ['beginning', beginning.subarray(0, 8).toString('latin1')],
    ...lines.map((line) => ['line', Buffer.from(line).toString('latin1').slice(0, 10)] as const),
    ...[0, 1, 2].map((offset) => {
      const shifted = Buffer.concat([Buffer.alloc(offset), beginning.subarray(0, 9)]).toString('base64');
      return [`base64+${offset}`, shifted.slice(offset === 0 ? 0 : offset + 1, 11)] as const;
    }),
    ['hex', spelled(hex)],
    ['hex', spelled(hex).toUpperCase()],
    ['percent', spelled((byte) => `%${hex(byte)}`)],
    ['percent', spelled((byte) => `%${hex(byte).toUpperCase()}`)],
    ['unicode', spelled((byte) => `\\u00${hex(byte)}`)],
    ['unicode', spelled((byte) => `\\\\u00${hex(byte)}`)],
    ['html', spelled((byte) => `&#${byte};`)],
    ['numbers', spelled((byte) => `${byte} `)],
    ['numbers', spelled((byte) => `0x${byte.toString(16)} `)],
  ];
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
