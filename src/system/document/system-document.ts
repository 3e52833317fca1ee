/** The whole config document, in YAML and in TypeScript alike. */
import { z } from 'zod';
import { argv } from '../../kinds/kind/targets.ts';
import {
  type Advice,
  choice,
  closed,
  duration,
  expression,
  listOf,
  longestName,
  name,
  namePattern,
  text,
  variableName,
  whole,
} from '../../kinds/kind/values.ts';
import { composeDocument, replaceDocument } from './compose-document.ts';
import { edge, edgeDocument } from './edge-document.ts';
import { jobDocument, serviceDocument } from './program-document.ts';
import { resourceDocument } from './resource-documents.ts';
import { suiteDocument } from './suite-document.ts';

const pathRule = 'a path in a call, such as `request.json.tools`, `turn.text` or `response.status`';
const path = z
  .string(pathRule)
  .regex(
    /^(?:request|response|turn|params|result)(?:\.[^\s=]+)?(?:\s*=\s*(?:request|response|turn|params|result)(?:\.[^\s=]+)?)?$/,
    pathRule,
  );

export const relayDocument = closed(
  {
    incoming: edge.describe('The edge into the service.'),
    outgoing: z
      .union(
        [edge, z.array(edge, 'a list of edges').min(1, 'at least one edge')],
        'an edge, or a list of edges',
      )
      .describe('The edges out of the service.'),
    same: z
      .array(path, 'a list of paths')
      .min(1, 'at least one path')
      .describe('What must be the same on both: requests on their way out, answers on their way back.'),
  },
  'a relay',
);

const valueRule = 'a text without `${…}`: it reaches the plugin as it is written';
const value = z.union(
  [z.string(valueRule).regex(/^(?!.*\$\{)/s, valueRule), z.number(), z.boolean()],
  valueRule,
);

export const pluginDocument = closed(
  {
    run: argv.describe('The program, started in the folder of the config file; it speaks JSON lines.'),
    env: z
      .record(variableName, value, 'a map of variables')
      .describe('Its environment variables, beside `PATH` and the like.')
      .optional(),
  },
  'a plugin',
);

const scalarRule = 'a text, a number, true or false';
const nameRule = `a name of lower-case letters, digits and -, beginning with a letter, at most ${longestName} long`;

const rosterDocument = closed(
  {
    each: text.describe(
      'A glob of manifests (toml, yaml, json), relative to the config file; one service each.',
    ),
    name: text.describe('The name of each service, such as `${it.butler.name}`.'),
    service: serviceDocument.describe('The service; `${it.…}` is taken from its manifest.'),
  },
  'a roster',
);

/** An allowance that matches everything would silence the gate. */
const allowedLine = expression.refine((written) => !matchesAnything(written), {
  error: 'a regular expression for certain lines, not for every line',
  params: { code: 'config.bad-pattern', next: 'write a part of the line that you expect' } satisfies Advice,
});

export const logsDocument = closed(
  {
    error: expression.describe('A new line that matches is an error of the service.').optional(),
    allow: z
      .array(
        closed({ service: name, match: allowedLine, because: text }, 'an allowance'),
        'a list of allowances',
      )
      .describe('Error lines that are expected, each with its reason.')
      .optional(),
  },
  'logs',
);

const priorityRule = 'a priority such as `p0`';
const priority = z.string(priorityRule).regex(/^p\d{1,2}$/i, priorityRule);
const skipsRule = 'forbid, allow, or { atMost: 2 }';

const gateDocument = closed(
  {
    priority: listOf(text, 'a list of priorities', 'Trials of these priorities are run.'),
    tags: listOf(text, 'a list of tags', 'Trials with all of these tags are run.'),
    skips: z
      .union(
        [
          z.enum(['forbid', 'allow'], skipsRule),
          closed({ atMost: whole(skipsRule, 0) }, 'a budget of skips'),
        ],
        skipsRule,
      )
      .describe('Whether trials may be skipped, or how many at most.')
      .optional(),
    quarantine: choice(
      ['forbid', 'allow'],
      'Whether trials in quarantine may fail; `forbid` also refuses that there are any.',
    ),
    requirements: closed(
      {
        covered: listOf(
          priority,
          'a list of priorities',
          'Every requirement of these priorities must be covered and green.',
        ),
        deferred: choice(
          ['allow', 'forbid'],
          'Whether some of them may be deferred or pending; `allow` when absent.',
        ),
        drift: choice(
          ['fail', 'warn'],
          'Whether a text that changed after its trials fails, or is only reported.',
        ),
      },
      'requirements of a gate',
    )
      .describe('What must hold of requirements.')
      .optional(),
  },
  'a gate',
);

const budget = (what: string) =>
  closed({ within: duration.describe('How long it may take.').optional() }, what);

const volumeDocument = closed({}, 'a volume').nullable();

export const systemDocument = closed(
  {
    name: z
      .string(nameRule)
      .regex(namePattern, nameRule)
      .max(longestName, nameRule)
      .describe('The name of the system.'),
    trials: z
      .union(
        [text, z.array(text, 'a list of globs').min(1, 'at least one glob')],
        'a glob or a list of globs',
      )
      .describe('Where the trials are, relative to the config file.')
      .optional(),
    requirements: z
      .union([text, z.array(text, 'a list of paths or globs')], 'a path or glob, or a list of them')
      .describe(
        'Files of requirements (`.yaml`, `.md`), relative to the config file, none for `[]`; `requirements.yaml`, when it is there, when absent.',
      )
      .optional(),
    resources: z
      .record(name, resourceDocument, 'a map from names to resources')
      .describe('Real dependencies that are provisioned for the system.')
      .optional(),
    volumes: z
      .record(name, volumeDocument, 'a map from names to volumes')
      .describe('Folders that services share: `${NAME.path}` for processes, a mount for containers.')
      .optional(),
    jobs: z
      .record(name, jobDocument, 'a map from names to jobs')
      .describe('Programs that run once and must end with 0, such as migrations.')
      .optional(),
    services: z
      .record(name, serviceDocument, 'a map from names to services')
      .describe('The programs of the system.')
      .optional(),
    compose: composeDocument
      .describe('Compose files, relative to the config file: their services are services of the system.')
      .optional(),
    replace: replaceDocument
      .describe(
        'What stands in for services of the compose files: `postgres` for the embedded one, or a resource or service of the config.',
      )
      .optional(),
    rosters: z
      .record(name, rosterDocument, 'a map from names to rosters')
      .describe('Folders of manifests, one service each.')
      .optional(),
    matrix: z
      .record(
        name,
        z
          .array(z.union([z.string(), z.number(), z.boolean()], scalarRule), 'a list of values')
          .min(1, 'at least one value'),
        'a map from names to lists of values',
      )
      .describe(
        'Variants: `${matrix.NAME}` is one of these values, the first unless `up --variant NAME=VALUE` says another.',
      )
      .optional(),
    secrets: listOf(
      variableName,
      'a list of names of environment variables',
      'Environment variables whose values never reach a file.',
    ),
    logs: logsDocument.describe('What counts as an error in the output of services.').optional(),
    gates: z
      .record(name, gateDocument, 'a map from names to gates')
      .describe('What must hold for a certain occasion.')
      .optional(),
    relays: z
      .record(name, relayDocument, 'a map from names to relays')
      .describe('What a service must pass on as it came: used to say who is to blame.')
      .optional(),
    edges: z
      .record(edge, edgeDocument, 'a map from edges to what counts as idle there')
      .describe('Edges that are never silent, because a client polls.')
      .optional(),
    plugins: z
      .record(name, pluginDocument, 'a map from names to plugins')
      .describe('Programs that bring kinds of steps and checks of your own.')
      .optional(),
    suite: suiteDocument.describe('What the trials themselves may do; see `shakedown lint`.').optional(),
    boundaries: text
      .describe('The registry of boundaries, relative to the config file: `shakedown/boundaries.yaml`.')
      .optional(),
    catalogue: text
      .describe('The catalogue of high-risk trials, relative to the config file: `shakedown/high-risk.yaml`.')
      .optional(),
    isolation: choice(
      ['fresh', 'restart', 'shared'],
      'The default for trials without their own; `fresh` when absent.',
    ),
    settle: duration
      .describe('How long every edge must be idle before a trial counts as over; `250ms` when absent.')
      .optional(),
    boot: budget('boot').describe('The whole boot; `2m` when absent.').optional(),
    teardown: budget('teardown')
      .describe('The whole teardown; when absent `20s`, or as long as the services may take to stop.')
      .optional(),
  },
  'the config',
);

export type SystemDocument = z.input<typeof systemDocument>;
export type RosterDocument = z.input<typeof rosterDocument>;

function matchesAnything(written: string): boolean {
  try {
    const match = new RegExp(written);
    return match.test('') || match.test('\u0001');
  } catch {
    return false;
  }
}
