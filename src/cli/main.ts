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
  const json = words.includes('--json');
  const terminal = openTerminal(process.env, config, json);
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
    void untold(code, terminal).then((worst) => process.exit(worst));
  });
  const code = await dispatch(argv, terminal).catch((error: unknown) => printProblems(error, json, terminal));
  const worst = await untold(code, terminal);
  isOver = true;
  return worst;
}

/** Whatever the code says, a report that did not arrive is no good end. */
async function untold(code: ExitCode, terminal: Terminal): Promise<ExitCode> {
  await terminal.flushed();
  const failure = terminal.failure();
  if (!failure) return code;
  const problem = new Problem({
    code: 'world.not-writable',
    where: 'standard output or standard error',
    what: `not all that was printed could be written: ${failure.message}`,
    allowed: 'an output that takes everything, such as a file on a disk with free space',
    next: 'free some space, or lead the output elsewhere; of a run, `shakedown report` tells it again',
  });
  terminal.err(tellProblems([problem], terminal));
  await terminal.flushed();
  return worstExitCode([code, problem.exitCode]);
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
  return verb.run({ ...sorted, json, terminal, clock: systemClock, env: process.env, cwd: workingFolder() });
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Problem({
      code: 'config.not-found',
      where: 'the working folder',
      what: `it cannot be found: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'a folder that is there, and above which all can be entered',
      next: 'it was removed or replaced; go there again with `cd`, or to another folder',
      cause: error,
    });
  }
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
