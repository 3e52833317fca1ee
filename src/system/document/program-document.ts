/** Jobs and services, as written. */
import { constants } from 'node:os';
import { z } from 'zod';
import { didYouMean } from '../../kernel/nearest.ts';
import {
  type Advice,
  choice,
  closed,
  duration,
  issueOf,
  listOf,
  longestName,
  name,
  namePattern,
  text,
  variableName,
} from '../../kinds/kind/values.ts';
import { allowances } from '../container-spec.ts';
import { containerKeys, reason } from './container-document.ts';
import { listenDocument, listenerName } from './listen-document.ts';
import { pythonDocument } from './python-document.ts';
import { readyDocument } from './ready-document.ts';

const runRule =
  "a list of texts such as ['node', 'server.js'], one text for sh -c, or a Python program such as { module: desk.api }";
const envRule = 'a text, a number, true or false';
const formats = ['toml', 'yaml', 'json', 'env', 'text'] as const;
const signals = Object.keys(constants.signals).filter(
  (signal) => signal !== 'SIGKILL' && signal !== 'SIGSTOP',
);

const run = z
  .union(
    [
      text,
      z
        .array(z.string('a text; put quotes around a number'), runRule)
        .refine(([program]) => program !== undefined && program !== '', runRule),
      pythonDocument,
    ],
    runRule,
  )
  .describe('The command: a list of texts, one text for `sh -c`, or a Python program.');

const env = z
  .record(
    variableName,
    z.union([z.string(), z.number(), z.boolean()], envRule),
    'a map of environment variables',
  )
  .describe('Environment variables; `${…}` in a value is replaced when the program starts.');

const pathRule =
  'a path inside the folder of the program: not absolute, without .. and ${, of printable names with at most 255 bytes each';
const target = z
  .string(pathRule)
  .refine(
    (path) =>
      !path.startsWith('/') &&
      !path.includes('${') &&
      !/\p{Cc}/u.test(path) &&
      !path.split(/[\\/]/).includes('..') &&
      !/(?:^|\/)\.?$/.test(path) &&
      path.split('/').every((part) => Buffer.byteLength(part) <= 255),
    pathRule,
  );

const file = closed(
  {
    template: text.describe('The template, relative to the config file.').optional(),
    text: z.string('a text').describe('The template itself.').optional(),
    format: z
      .enum(formats, `one of ${formats.join(', ')}`)
      .describe('How values are quoted; by the extension when absent.')
      .optional(),
  },
  'a file',
).superRefine((written, context) => {
  if ((written.template === undefined) !== (written.text === undefined)) return;
  const both = written.text !== undefined;
  const params: Advice = {
    what: both ? 'the file has both `template` and `text`' : 'the file has neither `template` nor `text`',
    next: both ? 'remove one' : 'add `template: path`',
    at: 'key',
    absence: !both,
  };
  context.addIssue(issueOf('exactly one of template, text', params, both ? 'text' : undefined));
});

const { image, build, ...inContainer } = containerKeys;

const program = {
  run: run.optional(),
  image,
  build,
  cwd: text
    .describe(
      'Where the program starts, relative to the config file; `${self.dir}` is a folder of its own. Of a container: a folder in it.',
    )
    .optional(),
  env: env.optional(),
  files: z
    .record(target, file, 'a map from the path of a file to its template')
    .refine(
      (files) =>
        !Object.keys(files).some((outer) => Object.keys(files).some((to) => to.startsWith(`${outer}/`))),
      'paths of which none is the folder of another',
    )
    .describe('Files rendered from templates into `${self.dir}` before the program starts.')
    .optional(),
  after: listOf(name, 'a list of names', 'Resources, jobs, services and rosters that must be ready first.'),
};

type Checked = Readonly<Partial<Record<'run' | 'image' | 'build' | 'at', unknown>>>;

function refuseNothing(
  { run: words, image: from, build: folder, at }: Checked,
  context: z.RefinementCtx,
): void {
  if ([words, from, folder, at].some((given) => given !== undefined)) return;
  const params: Advice = {
    code: 'config.missing-key',
    what: 'it has no `run`, no `image` and no `build`',
    next: 'add `run`, or one of the others for a container',
    at: 'key',
    absence: true,
  };
  context.addIssue(
    issueOf("`run: ['node', 'server.js']`, `image: postgres:18` or `build: ./folder`", params),
  );
}

/** As the port of a process it would be one of this machine: that is said with its key. */
function refuseBareNumber(listen: unknown, context: z.RefinementCtx): void {
  for (const [at, port] of [listen].flat().entries()) {
    if (typeof port !== 'number') continue;
    const params: Advice = {
      code: 'config.wrong-type',
      what: `${port} alone is the port of a container, and this is a process`,
      next: `write { port: ${port} }, or { env: 'PORT' } and let Shakedown choose`,
    };
    const path = Array.isArray(listen) ? ['listen', at] : ['listen'];
    context.addIssue({ ...issueOf('how its port is chosen: env, log, port or auto', params), path });
  }
}

export const jobDocument = closed(
  {
    ...program,
    within: duration.describe('How long the job may take; `2m` when absent.').optional(),
    inputs: listOf(
      text,
      'a list of globs',
      'Files on which the result depends; unchanged, its snapshot is reused.',
    ),
    again: choice(
      ['fresh'],
      '`fresh`: it runs again whenever the environment is made fresh, because its work is in files.',
    ),
    ...inContainer,
  },
  'a job',
).superRefine(refuseNothing);

const shimNameRule = 'a name of lower-case letters, digits and -, beginning with a letter, and not bin';
const shimRule = 'the name of a program on PATH, without /';

const programName = z.string(shimRule).regex(/^[\w.+-]+$/, shimRule);

const shims = z
  .record(
    z
      .string(shimNameRule)
      .regex(namePattern, shimNameRule)
      .max(longestName, shimNameRule)
      .refine((end) => end !== 'bin', shimNameRule),
    z.union(
      [
        programName,
        closed(
          {
            program: programName.describe('The program.'),
            speaks: z.literal('mcp', 'mcp').describe('It is a tool server on stdio: its calls are seen.'),
          },
          'a recorded program',
        ),
      ],
      `${shimRule}, or { program, speaks: mcp }`,
    ),
    'a map from the name of an edge’s end to a program',
  )
  .describe(
    'Programs on its PATH whose calls are recorded: `{ shell: sh }` makes the edge `service -> shell`; `{ files: { program: mcp-files, speaks: mcp } }` shows the messages to a tool server on stdio.',
  );

const resetRule = "'restart', 'stateless' or { http: 'POST /reset' }";
const callRule = 'a method and a path, such as `POST /reset`';

const atRule = `an address such as \`http://127.0.0.1:8080\`, or a map of them`;
const atDocument = z
  .union(
    [
      text,
      z
        .record(listenerName, text, atRule)
        .refine((addresses) => Object.keys(addresses).length > 0, 'at least one address'),
    ],
    atRule,
  )
  .describe(
    'Where a service listens that somebody else has started: it is called there, and never started, ended or disturbed.',
  );

export const serviceDocument = closed(
  {
    ...program,
    listen: listenDocument.optional(),
    ready: readyDocument
      .describe('When the service is ready; by default when its ports accept connections.')
      .optional(),
    stop: closed(
      {
        signal: z
          .enum(signals, `a signal that a program can handle: SIGTERM, SIGINT, SIGHUP, SIGQUIT, …`)
          .describe('When absent, that of its image, or `SIGTERM`.')
          .optional(),
        within: duration.describe('How long it may take to end; `5s` when absent.').optional(),
        to: choice(
          ['main', 'group'],
          'Who gets the signal: the first process, and its children only when they outlive it; or all at once. `main` for a Python program, `group` for others when absent.',
        ),
      },
      'how to stop',
    )
      .describe('How the service is ended.')
      .optional(),
    shims: shims.optional(),
    reset: z
      .union(
        [
          z.enum(['restart', 'stateless'], resetRule),
          closed({ http: z.string(callRule).regex(/^[A-Z]+ \/\S*$/, callRule) }, 'a reset'),
        ],
        resetRule,
      )
      .describe('How the service resets its state between trials.')
      .optional(),
    at: atDocument.optional(),
    ...inContainer,
    allow: z
      .record(z.string(), reason, 'a map from what is allowed to the reason')
      .describe(
        'Why it may reach out of its environment: `{ privileged: "mounts file systems" }`; with `at`, the addresses beyond this machine: `{ "staging.internal:8080": "our staging gateway" }`.',
      )
      .optional(),
  },
  'a service',
).superRefine((written, context) => {
  refuseNothing(written, context);
  if (written.at === undefined) refuseOtherAllowances(written.allow, context);
  if (written.image === undefined && written.build === undefined) refuseBareNumber(written.listen, context);
});

/** What a container may be allowed is known; what is attached is allowed addresses. */
function refuseOtherAllowances(allow: object | undefined, context: z.RefinementCtx): void {
  for (const key of Object.keys(allow ?? {})) {
    if ((allowances as readonly string[]).includes(key)) continue;
    const params: Advice = {
      what: `${JSON.stringify(key)} cannot be allowed here`,
      next: didYouMean(key, allowances, 'rename it; addresses are allowed beside `at`'),
      at: 'key',
    };
    context.addIssue({ ...issueOf(`one of ${allowances.join(', ')}`, params), path: ['allow', key] });
  }
}

/** A program is a process or a container, and each key belongs to one of them. */
export const processKeys = ['run', 'shims'] as const;
export const containerOnlyKeys = Object.keys(containerKeys) as (keyof typeof containerKeys)[];

export type ProgramDocument = Pick<z.input<typeof jobDocument>, 'run'>;
export type JobDocument = z.input<typeof jobDocument>;
export type ServiceDocument = z.input<typeof serviceDocument>;
export type FileDocument = z.input<typeof file>;
