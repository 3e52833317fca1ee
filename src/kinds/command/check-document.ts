/** The keys of a `command` check: it is run at the looks of the check, so that none is made all the time. */
import { commonCheckKeys } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';
import { commandDocument } from './document.ts';

const { title, expect, within, golden } = commonCheckKeys;
const { command, stdin, env, cwd, in: inside } = commandDocument.shape;

export const commandCheckDocument = closed(
  {
    command: command.describe(
      'A program that looks and changes nothing: a list of texts, or one for `sh -c`.',
    ),
    stdin,
    env,
    cwd: cwd.describe('Relative to the config; with `in`, a folder in the container.'),
    in: inside,
    title,
    expect,
    within,
    golden,
  },
  'a command check',
);
