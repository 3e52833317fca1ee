/** Random texts with variables, and random env files, mean what they mean to Docker Compose 2, as it was recorded. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDotenv } from '../../src/system/compose/dotenv.ts';
import { interpolate } from '../../src/system/compose/interpolate.ts';
import { projectFolder } from '../harness/config-project.ts';

const tool = 'docker-compose-v2';
const variables: Record<string, string> = { A: 'value a', EMPTY: '', B2: '$x {y}' };
const lookUp = (name: string): string | undefined => variables[name];
/** One call of the tool asks for so many texts. */
const together = 300;

/** `SHAKEDOWN_WRITE_EXPECTED=1` with the tool on PATH (`go build ./cmd` of github.com/docker/compose/v2) writes it anew. */
const recording = path.join(import.meta.dirname, 'texts.json');
const isRecorder = process.env.SHAKEDOWN_WRITE_EXPECTED !== undefined;

type Environments = readonly Readonly<Record<string, string>>[];

interface Recorded {
  readonly texts: readonly string[];
  readonly found: Environments;
}

async function recorded(name: string, texts: readonly string[], ask: () => Promise<Environments>) {
  const all = JSON.parse(await readFile(recording, 'utf8').catch(() => '{}')) as Record<string, Recorded>;
  if (isRecorder) {
    const found = await ask();
    await writeFile(recording, `${JSON.stringify({ ...all, [name]: { texts, found } })}\n`);
    return found;
  }
  expect(texts).toEqual(all[name]?.texts);
  return all[name]?.found ?? [];
}

async function environments(
  services: readonly object[],
  files: Readonly<Record<string, string>>,
): Promise<Environments> {
  const names = services.map((service, index) => [`s${index}`, { image: 'x', ...service }]);
  const compose = JSON.stringify({ name: 'p', services: Object.fromEntries(names) });
  const folder = await projectFolder({ 'compose.yml': compose, ...files });
  const env = { PATH: process.env.PATH, HOME: folder, ...variables };
  const argv = ['-f', path.join(folder, 'compose.yml'), 'config', '--format', 'json'];
  const { stdout } = await promisify(execFile)(tool, argv, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  const found = (JSON.parse(stdout) as { services: Record<string, { environment?: Record<string, string> }> })
    .services;
  return services.map((_, index) => found[`s${index}`]?.environment ?? {});
}

const piece = fc.constantFrom(
  ...[
    '$',
    '$$',
    '{',
    '}',
    '${',
    'A',
    'EMPTY',
    'NOPE',
    'B2',
    ':-',
    '-',
    ':+',
    '+',
    '$A',
    '${A}',
    '${EMPTY:-',
    '${NOPE-',
    ' ',
    'x',
    '/',
    ':',
    '"',
    '\\',
  ],
);
const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));

test('texts with variables', { timeout: 60_000 }, async () => {
  const texts = fc.sample(text, { numRuns: together * 3, seed: 7 });
  const right = texts.filter((one) => interpolate(one, lookUp).faults.length === 0).slice(0, together);
  expect(right.length).toBeGreaterThan(together / 2);
  const found = await recorded('texts', right, () =>
    environments(
      right.map((V) => ({ environment: { V } })),
      {},
    ),
  );
  const unlike = right.flatMap((one, index) => {
    // In what it prints, `$$` is a `$`.
    const theirs = found[index]?.V?.replaceAll('$$', '$');
    const ours = interpolate(one, lookUp).text;
    return ours === theirs ? [] : [{ text: one, ours, theirs }];
  });
  expect(unlike).toEqual([]);
});

test('what is no variable here is refused there, too', { timeout: 120_000 }, async () => {
  const texts = fc.sample(text, { numRuns: 400, seed: 8 });
  const wrong = texts.filter((one) => interpolate(one, lookUp).faults.length > 0).slice(0, 12);
  expect(wrong).toHaveLength(12);
  await recorded('wrong', wrong, async () => {
    for (const V of wrong)
      await expect(environments([{ environment: { V } }], {}), V).rejects.toThrow('interpolation');
    return [];
  });
});

const value = fc.constantFrom(
  ...[
    '',
    'plain',
    'two words',
    ' # comment',
    '#tag',
    '"quoted"',
    "'single $A'",
    '"a $A ${NOPE:-d}"',
    '$A',
    '${A:-x}',
    '"esc \\n \\" \\\\ \\t"',
    "'it\\'s'",
    '"multi\nline"',
    'a=b',
    '  spaced  ',
    '"x" # c',
    '\\n',
    '${K0}',
  ],
);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('', 'export ', '  '),
        fc.constantFrom('K0', 'K1', 'K2', 'A', 'k.d'),
        fc.constantFrom('=', ' = ', '= ', ': '),
        value,
      )
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.constantFrom('# comment', '', '   ', 'A', 'NOPE') },
);

test('env files', { timeout: 60_000 }, async () => {
  const texts = fc
    .sample(fc.array(line, { maxLength: 5 }), { numRuns: together, seed: 9 })
    .map((lines) => `${lines.join('\n')}\n`)
    .filter((one) => parseDotenv(one, lookUp).faults.length === 0);
  expect(texts.length).toBeGreaterThan(together / 2);
  const files = Object.fromEntries(texts.map((one, index) => [`e${index}.env`, one]));
  const found = await recorded('files', texts, () =>
    environments(
      texts.map((_, index) => ({ env_file: `./e${index}.env` })),
      files,
    ),
  );
  const unlike = texts.flatMap((one, index) => {
    const theirs = Object.fromEntries(
      Object.entries(found[index] ?? {}).map(([name, text]) => [name, text?.replaceAll('$$', '$')]),
    );
    const ours = Object.fromEntries(parseDotenv(one, lookUp).variables);
    return JSON.stringify(sorted(ours)) === JSON.stringify(sorted(theirs))
      ? []
      : [{ text: one, ours, theirs }];
  });
  expect(unlike).toEqual([]);
});

function sorted(record: Readonly<Record<string, string | undefined>>): unknown {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
