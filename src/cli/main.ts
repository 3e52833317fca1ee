/** The command line: finds the verb, sorts its words, runs it, and prints an error once. */

import { worldProblem } from '../environment/processes/world-problem.ts';
import { systemClock } from '../kernel/clock.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../kernel/exit-codes.ts';
import { nearest } from '../kernel/nearest.ts';
import { Problem, problemsIn, problemToData } from '../kernel/problem.ts';
import { endedProblem, strayProblem } from '../system/source/stray-problem.ts';
import { generalHelp, verbHelp } from './help.ts';
import { sortWords } from './sort-words.ts';
import { tellProblems } from './tell-problems.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { toolVersion } from './tool-version.ts';
import { findVerb, laterVerbs, verbNames } from './verbs.ts';

export async function main(argv: readonly string[]): Promise<ExitCode> {
  const words = ownWords(argv);
  const [, config] = /(?:^|\0)--config[=\0]([^\0]+)/.exec(words.join('\0')) ?? [];
  const terminal = openTerminal(process.env, config);
  const json = words.includes('--json');
  let isOver = false;
  const onExit = (): void => {
    if (isOver) return;
    const ending = new Error('the process ends');
    Error.captureStackTrace(ending, onExit);
    process.exitCode = printProblems(endedProblem(ending), json, terminal);
  };
  process.on('exit', onExit);
  process.on('uncaughtException', (error) => {
    isOver = true;
    const code = printProblems(strayProblem(error), json, terminal);
    void terminal.flushed().then(() => process.exit(code));
  });
  const code = await dispatch(argv, terminal).catch((error: unknown) => printProblems(error, json, terminal));
  await terminal.flushed();
  isOver = true;
  return code;
}

/** What stands after `--` is somebody else's. */
function ownWords(argv: readonly string[]): readonly string[] {
  return argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(await generalHelp());
    return exitCodes.held;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(toolVersion());
    return exitCodes.held;
  }
  const verb = await findVerb(name);
  if (!verb) throw unknownVerb(name);
  const sorted = sortWords(name, verb, rest);
  if (sorted.options.help === true) {
    terminal.out(verbHelp(name, verb));
    return exitCodes.held;
  }
  const json = sorted.options.json === true;
  return verb.run({ ...sorted, json, terminal, clock: systemClock, env: process.env, cwd: process.cwd() });
}

function printProblems(error: unknown, json: boolean, terminal: Terminal): ExitCode {
  const problems = problemsIn(worldProblem(error, 'this machine'));
  const data = problems.map((problem) => ({ ...problemToData(problem), next: terminal.hint(problem.next) }));
  if (json) terminal.out(JSON.stringify({ errors: data }));
  else terminal.err(tellProblems(problems, terminal));
  return worstExitCode(problems.map(({ exitCode }) => exitCode));
}

function unknownVerb(name: string): Problem {
  const close = nearest(name, verbNames);
  const later = laterVerbs.includes(name);
  return new Problem({
    code: 'usage.unknown-verb',
    where: `shakedown ${name}`,
    what: later
      ? `\`${name}\` is planned, and not in version ${toolVersion()}`
      : `there is no verb ${JSON.stringify(name)}`,
    allowed: verbNames.join(', '),
    next: close ? `did you mean \`shakedown ${close}\`?` : 'see `shakedown --help`',
  });
}
