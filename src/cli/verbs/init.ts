/** `shakedown init`: writes a small working project, and prints the next step. */
import path from 'node:path';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { print } from '../call/print.ts';
import { optionText, type Verb } from '../call/verb.ts';
import { projectFiles } from '../init/project-files.ts';
import { writeProject } from '../init/write-project.ts';

export const init: Verb = {
  summary: 'write a small running project to begin with',
  usage: '[FOLDER] | --from FILE',
  positionals: 1,
  options: {
    from: { value: 'FILE', help: 'make the config from a compose file that is there' },
  },
  run: async (call) => {
    const source = optionText(call, 'from');
    if (source !== undefined) return (await import('../init/init-from.ts')).initFrom(call, source);
    const folder = path.resolve(call.cwd, call.positionals[0] ?? '.');
    await writeProject(folder, projectFiles);
    const relative = path.relative(call.cwd, folder);
    const written = [...projectFiles.keys()].map((name) => path.join(relative, name));
    const enter = relative === '' ? '' : `cd ${shellWord(relative)} && `;
    const npx = call.env.npm_command === 'exec' ? 'npx ' : '';
    const next = `\nnext: ${enter}${npx}shakedown run`;
    print(call, { written }, () => [...written.map((file) => `wrote ${file}`), next]);
    return exitCodes.held;
  },
};
