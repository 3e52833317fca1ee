/** From the observation of a foreign test command to a verdict in the form of every run. Pure. */
import { type Cost, noCost } from '../../checks/cost.ts';
import type {
  Cause,
  CheckVerdict,
  RunReason,
  RunVerdict,
  TrialVerdict,
  Verdict,
} from '../../checks/verdict.ts';
import { outside } from '../../environment/wiring/edges.ts';
import { isCrossed, type Observation, type ObservedTest } from '../../journal/observation.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import type { ProblemData } from '../../kernel/problem.ts';
import { countOf, exitCodeOf, overall } from '../run/judge-run.ts';
import { interruptReasons, leakReasons } from '../run/run-reasons.ts';

interface ObservedRun extends Pick<RunVerdict, 'tool' | 'seed' | 'revision' | 'configHash' | 'durationMs'> {
  readonly observation: Observation;
  /** Name of the config file: results that belong to no test are reported there. */
  readonly configFile: string;
  /** The command that repeats the run. */
  readonly repro: string;
  readonly cost: Cost;
  /** What went wrong during teardown. */
  readonly problems: readonly ProblemData[];
  readonly interruptedBy?: string;
}

/** One trial for each test, after one for the command itself. */
export function judgeObservation(run: ObservedRun): RunVerdict {
  const { observation, tool, revision, configHash, seed, durationMs } = run;
  const trials = [judgeCommand(run), ...observation.tests.map((test) => judgeTest(run, test))];
  const reasons = reasonsOf(run, trials);
  return {
    schemaVersion: 1,
    ...{ tool, run: observation.run, revision, configHash, seed },
    verdict: overall(trials, reasons.length > 0),
    exitCode: exitCodeOf(reasons),
    reasons,
    counts: countOf(trials.length, trials),
    durationMs,
    trials,
    requirements: [],
    leaks: observation.leaks,
  };
}

/** A test of this name still has a unique id: its class or file precedes it. */
const commandTrial = 'command';

/** Checks of the command as a whole: they exist whatever the runner reports. */
function judgeCommand(run: ObservedRun): TrialVerdict {
  const { observation, cost } = run;
  const checks = [
    endedWell(observation),
    touchedSystem(observation),
    saidNoError(observation),
    nobodyDied(observation),
  ];
  const worst =
    checks.find(({ verdict }) => verdict === 'failed') ?? checks.find(({ verdict }) => verdict === 'unknown');
  return {
    ...baseOf(run),
    ...cost,
    id: commandTrial,
    title: observation.command.argv.join(' '),
    file: run.configFile,
    line: 1,
    verdict: worst?.verdict ?? 'passed',
    cause: worst ? causeOf(worst) : null,
    attempts: 1,
    checks,
    durationMs: observation.command.durationMs,
    skipReason: null,
  };
}

function judgeTest(run: ObservedRun, test: ObservedTest): TrialVerdict {
  const { id, file, line, outcome, message, text, durationMs } = test;
  const said = message ?? text?.split('\n')[0] ?? 'the runner gives no reason';
  const check: CheckVerdict = {
    id: 'runner',
    line: line ?? 1,
    verdict: outcome,
    expected: 'the test passes',
    observed: outcome === 'failed' ? said : outcome,
    ...(outcome === 'failed' && text !== undefined ? { explanation: text } : {}),
    evidence: [],
  };
  return {
    ...baseOf(run),
    ...noCost,
    id,
    // Not the report: its path changes with each run, and a CI would see different tests each time.
    file: file ?? run.configFile,
    line: line ?? 1,
    verdict: outcome,
    cause: outcome === 'failed' ? { kind: 'check', text: said } : null,
    attempts: outcome === 'skipped' ? 0 : 1,
    checks: outcome === 'skipped' ? [] : [check],
    durationMs: durationMs ?? 0,
    skipReason: outcome === 'skipped' ? (message ?? 'the runner gives no reason') : null,
  };
}

type Base = Pick<TrialVerdict, 'tags' | 'covers' | 'backend' | 'blame' | 'repro' | 'faults' | 'folder'>;

function baseOf({ repro }: ObservedRun): Base {
  return { tags: ['observed'], covers: [], backend: null, blame: null, repro, faults: [], folder: null };
}

function causeOf({ id, observed }: CheckVerdict): Cause {
  const kinds = { logs: 'log', processes: 'death', touches: 'suite' } as const;
  return { kind: kinds[id as keyof typeof kinds] ?? 'step', text: observed };
}

function check(
  id: string,
  verdict: Verdict,
  expected: string,
  observed: string,
  lines: readonly string[] = [],
): CheckVerdict {
  const explanation = lines.length === 0 ? {} : { explanation: lines.join('\n') };
  return { id, line: 1, verdict, expected, observed, ...explanation, evidence: [] };
}

function endedWell({ command, tests }: Observation): CheckVerdict {
  const failed = tests.filter(({ outcome }) => outcome === 'failed').length;
  const isGood = command.exitCode === 0 && !command.timedOut && failed === 0;
  const expected = 'it ends with 0, and no test failed';
  return check('exit-code', isGood ? 'passed' : 'failed', expected, endOf(command, failed));
}

/** `it ended with 1`, and what contradicts that. */
function endOf({ exitCode, signal, timedOut, timeoutMs }: Observation['command'], failed: number): string {
  if (timedOut)
    return `it had not ended after ${formatDuration(timeoutMs)}, and was killed with everything it had started`;
  if (signal !== null) return `it was ended by ${signal}`;
  const tests = failed === 1 ? 'one test' : `${failed} tests`;
  if (exitCode === 0 && failed > 0) return `it ended with 0, although ${tests} failed`;
  return `it ended with ${exitCode}`;
}

function touchedSystem({ edges }: Observation): CheckVerdict {
  const names = edges.filter((edge) => edge.from === outside && isCrossed(edge)).map(({ to }) => to);
  const expected = 'it crosses an edge into the system';
  return names.length > 0
    ? check('touches', 'passed', expected, `it called ${names.join(', ')}`)
    : check('touches', 'unknown', expected, 'the command touched nothing of the system');
}

function saidNoError({ errorLines, undecidedLines, lostLogs = [] }: Observation): CheckVerdict {
  const expected = 'no new error line of a service';
  const [first] = errorLines;
  const lines = errorLines.map(({ service, text }) => `${service} | ${text}`);
  if (first) return check('logs', 'failed', expected, `${first.service}: ${first.text}`, lines);
  if (lostLogs.length > 0)
    return check('logs', 'unknown', expected, `a log was lost: ${lostLogs.join('; ')}`);
  if (undecidedLines === 0) return check('logs', 'passed', expected, 'none');
  const undecided = `${undecidedLines} lines could not be decided; make \`logs: { error }\` simpler`;
  return check('logs', 'unknown', expected, undecided);
}

function nobodyDied({ deaths }: Observation): CheckVerdict {
  const [first] = deaths;
  const verdict = first === undefined ? 'passed' : 'failed';
  return check('processes', verdict, 'services that stay up', first ?? 'all did', deaths);
}

function reasonsOf(run: ObservedRun, trials: readonly TrialVerdict[]): readonly RunReason[] {
  const { observation, problems, interruptedBy } = run;
  const reasons: RunReason[] = [
    ...trials.flatMap((trial) => trialReasons(trial)),
    ...testlessReasons(observation),
    ...problems.map(({ exitCode, what }) => ({ exitCode, text: what })),
    ...leakReasons(observation.leaks),
    ...interruptReasons(interruptedBy),
  ];
  const rank = (code: ExitCode): number => precedence.indexOf(code);
  return reasons.toSorted((a, b) => rank(a.exitCode) - rank(b.exitCode));
}

/** As `worstExitCode`, after an interruption. */
const precedence: readonly ExitCode[] = [130, 143, 70, 2, 3, 1, 4, 6, 7, 5, 0];

function trialReasons({ id, checks }: TrialVerdict): readonly RunReason[] {
  return checks
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'unknown')
    .map(({ verdict, observed }) => ({
      exitCode: verdict === 'failed' ? exitCodes.failed : exitCodes.dishonest,
      trial: id,
      text: id === commandTrial ? observed : `${id}: ${observed}`,
    }));
}

/** A report without tests, or one that cannot be read, does not show that all tests passed. */
function testlessReasons({ tests, junit }: Observation): readonly RunReason[] {
  const dishonest = (text: string): RunReason => ({ exitCode: exitCodes.dishonest, text });
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped').length;
  if (junit.files.length > 0 && tests.length === 0 && junit.faults.length === 0)
    return [dishonest(`no test ran: ${junit.files.join(', ')} names none`)];
  const allSkipped =
    tests.length > 0 && ran === 0 ? [dishonest(`no test ran: all ${tests.length} were skipped`)] : [];
  return [...junit.faults.map(dishonest), ...allSkipped];
}
