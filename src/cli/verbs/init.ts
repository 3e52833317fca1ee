/** `shakedown init`: writes a small working project, or a config for what is there, and prints the next step. */
import path from 'node:path';
import { projectFiles } from '../../campaigns/init/project-files.ts';
import { pythonFiles } from '../../campaigns/init/python-files.ts';
import { writeProject } from '../../campaigns/init/write-project.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { badUsage } from '../../kernel/problem.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { print } from '../call/print.ts';
import { type Call, optionText, type Verb } from '../call/verb.ts';

export const init: Verb = {
  summary: 'write a small running project to begin with, or a config for what is there',
  usage: '[FOLDER] [--python] | --from FILE|URL',
  positionals: 1,
  options: {
    from: {
      value: 'FILE|URL',
      help: 'make a config and a first trial from a compose file, Procfile, package.json, pyproject.toml, or what is up',
    },
    python: { help: 'write FastAPI, a worker and Redis instead of programs in JavaScript' },
  },
  run: async (call) => {
    const source = optionText(call, 'from');
    if (source === undefined) return writeExample(call);
    refuseBeside(call);
    const { initFrom } = await import('../init/init-from.ts'); // boots, which an example does not
    return initFrom(call, source);
  },
};

async function writeExample(call: Call) {
  const isPython = call.options.python === true;
  const files = isPython ? pythonFiles : projectFiles;
  const folder = path.resolve(call.cwd, call.positionals[0] ?? '.');
  await writeProject(folder, files);
  const relative = path.relative(call.cwd, folder);
  const written = [...files.keys()].map((name) => path.join(relative, name));
  const enter = relative === '' ? '' : `cd ${shellWord(relative)} && `;
  const install = isPython ? 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && ' : '';
  const npx = call.env.npm_command === 'exec' ? 'npx ' : '';
  const next = `\nnext: ${enter}${install}${npx}shakedown run`;
  print(call, { written }, () => [...written.map((file) => `wrote ${file}`), next]);
  return exitCodes.held;
}

function refuseBeside({ options, positionals }: Call): void {
  const [folder] = positionals;
  if (options.python !== true && folder === undefined) return;
  throw badUsage(
    'shakedown init --from',
    folder === undefined ? '`--python` is another project' : `a folder is given as well: ${folder}`,
    '`--from FILE` alone: the config belongs beside that file',
    'leave the other out',
  );
}
