/** The command line: finds the verb, parses its arguments, runs it, and prints an error once. */
import { worldProblem } from '../environment/processes/world-problem.ts';
import { systemClock } from '../kernel/clock.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../kernel/exit-codes.ts';
import { formatProblems } from '../kernel/format-problems.ts';
import { nearest } from '../kernel/nearest.ts';
import { Problem, problemsIn, problemToData } from '../kernel/problem.ts';
import { toolVersion } from '../kernel/tool-version.ts';
import { endedProblem, strayProblem } from '../system/source/stray-problem.ts';
import { parseArguments } from './call/parse-arguments.ts';
import { openTerminal, type Terminal } from './call/terminal.ts';
import { generalHelp, verbHelp } from './help.ts';
import { findVerb, laterVerbs, verbNames } from './verbs.ts';

export async function main(argv: readonly string[]): Promise<ExitCode> {
  const positionals = ownWords(argv);
  const [, config] = /(?:^|\0)--config[=\0]([^\0]+)/.exec(positionals.join('\0')) ?? [];
  const json = positionals.includes('--json');
  const terminal = openTerminal(process.env, config, json, verbNames);
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
    void omitted(code, terminal).then((worst) => process.exit(worst));
  });
  const code = await dispatch(argv, terminal).catch((error: unknown) => printProblems(error, json, terminal));
  const worst = await omitted(code, terminal);
  isOver = true;
  return worst;
}

/** Output that could not be written turns success into a failure. */
async function omitted(code: ExitCode, terminal: Terminal): Promise<ExitCode> {
  await terminal.flushed();
  const failure = terminal.failure();
  if (!failure) return code;
  const problem = new Problem({
    code: 'world.not-writable',
    where: 'standard output or standard error',
    what: `the output could not be written completely: ${failure.message}`,
    allowed: 'an output that accepts all data, such as a file on a disk with free space',
    next: 'free some space, or redirect the output elsewhere; for a run, `shakedown report` prints it again',
  });
  terminal.err(formatProblems([problem], terminal));
  await terminal.flushed();
  return worstExitCode([code, problem.exitCode]);
}

/** Words after `--` belong to another command. */
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
  const sorted = parseArguments(name, verb, rest);
  if (sorted.options.help === true) {
    terminal.out(verbHelp(name, verb));
    return exitCodes.held;
  }
  const json = sorted.options.json === true;
  return verb.run({
    ...sorted,
    verb: name,
    json,
    terminal,
    clock: systemClock,
    env: process.env,
    cwd: workingFolder(),
    config: typeof sorted.options.config === 'string' ? sorted.options.config : undefined,
    warn: terminal.err,
    say: (text, tone) => {
      if (!json) terminal.err(tone ? terminal.paint(tone, text) : text);
    },
    hide: terminal.hide,
  });
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Problem({
      code: 'config.not-found',
      where: 'the working folder',
      what: `it cannot be found: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'an existing folder whose parents can all be entered',
      next: 'it was removed or replaced; enter it again with `cd`, or use another folder',
      cause: error,
    });
  }
}

function printProblems(error: unknown, json: boolean, terminal: Terminal): ExitCode {
  const problems = problemsIn(worldProblem(error, 'this machine'));
  const data = problems.map((problem) => ({ ...problemToData(problem), next: terminal.hint(problem.next) }));
  if (json) terminal.out(JSON.stringify({ errors: data }));
  else terminal.err(formatProblems(problems, terminal));
  return worstExitCode(problems.map(({ exitCode }) => exitCode));
}

function unknownVerb(name: string): Problem {
  const close = nearest(name, verbNames);
  const later = laterVerbs.includes(name);
  return new Problem({
    code: 'usage.unknown-verb',
    where: `shakedown ${name}`,
    what: later
      ? `\`${name}\` is planned, but not available in version ${toolVersion()}`
      : `there is no verb ${JSON.stringify(name)}`,
    allowed: verbNames.join(', '),
    next: close ? `did you mean \`shakedown ${close}\`?` : 'see `shakedown --help`',
  });
}
