/** A plugin, as written in the config: the program that brings kinds of steps and checks. */
import { z } from 'zod';
import { argv } from '../../kinds/kind/targets.ts';
import { closed, variableName } from '../../kinds/kind/values.ts';

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
