/** A Python program as `run`: a module or a script, and which interpreter runs it. */
import { type Advice, closed, issueOf, listOf, text } from '../../kinds/kind/values.ts';

const moduleRule = 'the name of a module, such as `desk.api`, without `.py`';

export const pythonDocument = closed(
  {
    python: text
      .describe(
        'A folder with a virtual environment, or an interpreter, relative to the config file; or the name of one on PATH. When absent: `.venv` or `venv` in `cwd` or beside the config, `$VIRTUAL_ENV`, then `python3` on PATH.',
      )
      .optional(),
    module: text
      .regex(/^(?:\$\{[^}]*\}|[^\s/\\$])+$/, moduleRule)
      .refine((name) => !name.endsWith('.py'), {
        error: moduleRule,
        params: { next: 'write `script:` for a file' } satisfies Advice,
      })
      .describe('A module, run as by `python -m`.')
      .optional(),
    script: text.describe('A file, relative to `cwd`.').optional(),
    args: listOf(text, 'a list of texts', 'What follows on the command line.'),
  },
  'a Python program',
).superRefine(({ module, script }, context) => {
  if ((module === undefined) !== (script === undefined)) return;
  const both = module !== undefined;
  const params: Advice = {
    what: both
      ? 'the Python program has both `module` and `script`'
      : 'the Python program has neither `module` nor `script`',
    next: both ? 'remove one' : 'add `module: desk.api`, or `script: api.py`',
    at: 'key',
    absence: !both,
  };
  context.addIssue(issueOf('exactly one of module, script', params, both ? 'script' : undefined));
});
