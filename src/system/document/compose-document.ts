/** What a config says of compose files, and of what stands in for their services. */
import { z } from 'zod';
import { choice, closed, duration, listOf, name, text, variableName } from '../../kinds/kind/values.ts';
import { containerKeys } from './container-document.ts';
import { serviceDocument } from './program-document.ts';

const filesRule = 'a path, or a list of paths';
const files = z.union([text, z.array(text, filesRule).min(1, 'at least one path')], filesRule);
const { env, listen, ready, stop, reset, after } = serviceDocument.shape;
const valueRule = 'a text, a number, true or false';

const serviceAddition = closed(
  {
    as: choice(
      ['service', 'job'],
      'Whether it keeps running, or runs once; when absent, what the compose file says decides.',
    ),
    env: env.describe('Variables beside those of the compose file; these are stronger.'),
    listen: listen.describe('On which ports it listens, instead of those that are found.'),
    ready,
    stop,
    reset,
    after,
    within: duration.describe('Of a job: how long it may take; `2m` when absent.').optional(),
    inputs: listOf(text, 'a list of globs', 'Of a job: files on which its result depends.'),
    allow: containerKeys.allow,
  },
  'an addition to a service',
);

const composeRule = 'a path, a list of paths, or { files, profiles, env, project, services }';

export const composeDocument = z.union(
  [
    text,
    z.array(text, composeRule).min(1, 'at least one path'),
    closed(
      {
        files: files.describe(
          'The compose files, relative to the config file; later ones are merged over earlier ones.',
        ),
        profiles: listOf(
          text,
          'a list of profiles',
          'The active profiles; `*` is each. `COMPOSE_PROFILES` when absent.',
        ),
        env: z
          .record(
            variableName,
            z.union([z.string(), z.number(), z.boolean()], valueRule),
            'a map of variables',
          )
          .describe('Variables for `${…}` in the files; stronger than those of the shell and of `.env`.')
          .optional(),
        project: text.describe('The name of the project; that of its folder when absent.').optional(),
        services: z
          .record(z.string(), serviceAddition, 'a map from services of the compose files to additions')
          .describe('What the config adds to services of the compose files, by their names there.')
          .optional(),
      },
      'compose',
    ),
  ],
  composeRule,
);

const targetRule = 'postgres, model, telemetry, or the name of a resource or service of the config';

export const replaceDocument = z.record(
  z.string(),
  name.describe(targetRule),
  'a map from services of the compose files to what stands in for them',
);

export type ComposeDocument = z.input<typeof composeDocument>;
export type ServiceAddition = z.input<typeof serviceAddition>;
