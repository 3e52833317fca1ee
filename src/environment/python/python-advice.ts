/** What to do when Python says that something to run or to import is not there. Pure. */
import { shellWord } from '../../kernel/shell-word.ts';
import type { ProgramSpec } from '../../system/system.ts';

/** Undefined where the last lines of the log do not say so. */
export function pythonAdvice(
  { run, python, cwd }: Pick<ProgramSpec, 'run' | 'python' | 'cwd'>,
  [interpreter = '']: readonly string[],
  lines: readonly string[],
): string | undefined {
  if (python === undefined) return undefined;
  const text = lines.join('\n');
  if (run[1] !== '-m' && /can't open file '.*': \[Errno 2\]/.test(text))
    return `correct \`script\`: it is looked for in ${cwd}`;
  const missing = /(?:^|[ (])(?:ModuleNotFoundError: )?No module named '?([\w.]+)'?/m.exec(text)?.[1];
  const [top = ''] = missing?.split('.') ?? [];
  if (missing === undefined || top === '') return undefined;
  const isOwn = run[1] === '-m' && run[2]?.split('.')[0] === top;
  const install = `install it for this interpreter: ${shellWord(interpreter)} -m pip install ${top}`;
  if (!isOwn) return install;
  const place = `\`${missing.replaceAll('.', '/')}.py\` is looked for in ${cwd} (\`cwd\`)`;
  return `correct \`module\`: ${place}; or ${install}`;
}
