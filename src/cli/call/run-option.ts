/** `--run`: the environment that is meant, where another one may be up in the folder. */
import { isRunId } from '../../kernel/unique-id.ts';
import { badOption } from './options.ts';
import { type Call, optionText } from './verb.ts';

export const runOption = {
  value: 'RUN',
  help: 'of the environment of this run; default: the one that is up here',
};

export function readRun(call: Call): string | undefined {
  const given = optionText(call, 'run');
  if (given === undefined || isRunId(given)) return given;
  const allowed = 'the id of a run, as `up --json` and `status --json` have it';
  throw badOption(call, 'run', `no id of a run: ${JSON.stringify(given)}`, allowed, 'copy it from there');
}
