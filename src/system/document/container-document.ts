/** What a job or service that is a container may say, as written. */
import { z } from 'zod';
import { parseSize } from '../../kernel/size.ts';
import {
  choice,
  closed,
  duration,
  listOf,
  mark,
  name,
  text,
  variableName,
  whole,
} from '../../kinds/kind/values.ts';
import { allowances } from '../container-spec.ts';

const wordsRule = "a list of texts such as ['serve', '--port', '8000']";
const words = z.array(z.string('a text; put quotes around a number'), wordsRule);
const imageRule = 'an image such as `postgres:18` or `ghcr.io/team/api@sha256:…`';
export const image = z
  .string(imageRule)
  .regex(/^[a-z0-9][\w.\-/:@]*$/i, imageRule)
  .describe('The image; it is fetched when the engine does not have it.');
const insideRule = 'an absolute path in the container';
const inside = z.string(insideRule).regex(/^\//, insideRule);
const sizeRule = 'a size such as `64MB`';
const size = z.string(sizeRule).refine((written) => parseSize(written) !== undefined, sizeRule);
const valueRule = 'a text, a number, true or false';
const values = (what: string) =>
  z.record(variableName, z.union([z.string(), z.number(), z.boolean()], valueRule), what);

const build = z.union(
  [
    text,
    closed(
      {
        context: text.describe('The folder, relative to the config file.'),
        dockerfile: text.describe('Relative to the folder; `Dockerfile` when absent.').optional(),
        args: values('a map of build arguments').describe('For its `ARG`s.').optional(),
        target: text.describe('The stage to build; the last when absent.').optional(),
      },
      'a build',
    ),
  ],
  'a folder with a Dockerfile, or { context, dockerfile, args, target }',
);

const mountRule = '{ bind: ./conf, to: /etc/app }, { volume: data, to: /data } or { tmpfs: /tmp }';
const mount = z.union(
  [
    closed(
      {
        bind: text.describe('A file or folder, relative to the config file; read-only.'),
        to: inside.describe('Where it is in the container.'),
        writes: choice(
          ['copy', 'project'],
          'It may be written to: a copy of the environment’s own, or the project itself, which needs `allow: { writes: … }`.',
        ),
      },
      'a bind mount',
    ),
    closed(
      {
        volume: name.describe(
          'A volume of the environment’s own; containers that name the same one share it.',
        ),
        to: inside.describe('Where it is in the container.'),
      },
      'a volume',
    ),
    closed(
      {
        tmpfs: inside.describe('A folder in memory.'),
        size: size.describe('Its size at most.').optional(),
      },
      'a folder in memory',
    ),
  ],
  mountRule,
);

const healthRule = "'none', or { test: ['curl', '-f', 'http://localhost/'] }";
const healthcheck = z.union(
  [
    z.literal('none', healthRule),
    closed(
      {
        test: z
          .union([text, words.min(1, 'at least one text')], healthRule)
          .describe('A command inside of the container, which ends with 0 when it is healthy.'),
        interval: duration.describe('As the engine repeats it.').optional(),
        timeout: duration.describe('How long it may take; `30s` when absent.').optional(),
        startPeriod: duration.describe('Failures in this time do not count.').optional(),
        retries: whole('a whole number from 1 to 1000', 1, 1_000).optional(),
      },
      'a healthcheck',
    ),
  ],
  healthRule,
);

const peerRule = 'a name with a port, such as `db:5432`';
const peers = z.record(
  z.string(peerRule).regex(/^[\w.-]+:\d{1,5}$/, peerRule),
  z
    .string('a service, `service.listener` or a resource')
    .regex(/^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?$/, 'a service, `service.listener` or a resource'),
  'a map from an address that the program has built in to a service or resource',
);

const namespaces = ['network', 'pid', 'ipc', 'uts', 'users', 'cgroup'] as const;

export const reason = z.string('the reason, as a text').min(10, 'a reason of at least 10 characters');

/** Beside `image` or `build`. */
export const containerKeys = {
  image: image.optional(),
  build: build.describe('Builds the image from a Dockerfile.').optional(),
  entrypoint: words.describe('Instead of the image’s own.').optional(),
  command: words.describe('The words after the entrypoint, instead of the image’s own.').optional(),
  mounts: listOf(mount, 'a list of mounts', 'Files, folders and volumes in the container.'),
  user: z
    .union([text, z.int()], 'a user, as a name or number')
    .describe('Instead of the image’s own.')
    .optional(),
  hostname: text.describe('Its own name.').optional(),
  platform: text.describe('Such as `linux/arm64`.').optional(),
  healthcheck: healthcheck.describe('Instead of the image’s own; `none` for no healthcheck.').optional(),
  peers: peers
    .describe('Addresses that are built into the program, each with what it means: `{ "db:5432": db }`.')
    .optional(),
  memory: size.describe('What it may use at most.').optional(),
  shm: size.describe('Shared memory, in /dev/shm.').optional(),
  privileged: mark('It may do all that root may on this machine; needs `allow`.'),
  capabilities: closed(
    {
      add: listOf(text, 'a list of capabilities', 'Needs `allow`.'),
      drop: listOf(text, 'a list of capabilities', 'Such as `ALL`.'),
    },
    'capabilities',
  )
    .describe('More or fewer rights than usual.')
    .optional(),
  host: listOf(
    z.enum(namespaces, `one of ${namespaces.join(', ')}`),
    `a list of ${namespaces.join(', ')}`,
    'What it shares with this machine; needs `allow`.',
  ),
  allow: z
    .partialRecord(
      z.enum(allowances, `one of ${allowances.join(', ')}`),
      reason,
      `a map from what is allowed to the reason: ${allowances.join(', ')}`,
    )
    .describe('Why it may reach out of its environment: `{ privileged: "mounts file systems" }`.')
    .optional(),
};

export type MountDocument = z.input<typeof mount>;
export type BuildDocument = z.input<typeof build>;
export type HealthcheckDocument = z.input<typeof healthcheck>;
