/** Examines this machine and this folder, and with `live` whether the system works. */
import { type ExitCode, exitCodes, interruptExitCode, worstExitCode } from '../../kernel/exit-codes.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { Host } from '../session/host.ts';
import { listenForEndings, withInterrupts } from '../session/interrupts.ts';
import type { RunReporter } from '../session/perform-run.ts';
import type { Examined } from './checks/check.ts';
import { everyCheck } from './checks/every-check.ts';
import { examine } from './checks/examine.ts';
import { type LivePlan, planLive } from './live-plan.ts';
import { type LiveRow, type LiveVisit, liveRows, skippedRows } from './live-rows.ts';
import type { Visitor } from './live-visit.ts';
import { folderOf, loadConfig, loadSuite } from './load-project.ts';

export interface DoctorRequest extends Pick<RunReporter, 'writeReports'> {
  /** Boots the system, and runs one trial through each entry point. */
  readonly live: boolean;
}

export interface Diagnosis {
  readonly examined: readonly Examined[];
  /** Absent where there is no system that could be tried. */
  readonly live: LiveAnswer | undefined;
  readonly exitCode: ExitCode;
}

export interface LiveAnswer {
  readonly rows: readonly LiveRow[];
  /** False when every check was skipped. */
  readonly tried: boolean;
  /** The exit code with which a run of these trials would have ended. */
  readonly exitCode?: ExitCode;
  readonly run?: string;
}

/** Only an exit code when it was interrupted. */
export async function diagnose(host: Host, request: DoctorRequest): Promise<Diagnosis | ExitCode> {
  return withInterrupts(async (interrupts) => {
    const { signal } = listenForEndings(interrupts);
    const folder = await folderOf(host);
    const config = loadConfig(host, request.live);
    const surroundings = { host, folder, config, suite: loadSuite(config) };
    const examined = await examine(everyCheck(folder), surroundings, signal);
    const suite = signal.aborted ? undefined : await surroundings.suite;
    const { writeReports } = request;
    const live =
      suite?.kind === 'loaded'
        ? await examineLive({ host, suite, interrupts, writeReports }, examined, request.live)
        : undefined;
    const received = interrupts.received();
    if (received) return interruptExitCode(received);
    const codes = [...examined, ...(live?.rows ?? [])].flatMap(exitCodesOf);
    return { examined, live, exitCode: worstExitCode([...codes, live?.exitCode ?? exitCodes.held]) };
  });
}

function exitCodesOf({ state, problems }: Examined): readonly ExitCode[] {
  if (state === 'broken') return (problems ?? []).map(({ exitCode }) => exitCode);
  return [state === 'missing' ? exitCodes.notBooted : exitCodes.held];
}

/** Run when requested and possible, shown as skipped otherwise. */
async function examineLive(
  visitor: Visitor,
  examined: readonly Examined[],
  isAsked: boolean,
): Promise<LiveAnswer> {
  const { host, suite } = visitor;
  const plan = await planLive(host, suite);
  const command = `shakedown doctor${host.config === undefined ? '' : ` --config ${shellWord(host.config)}`} --live`;
  const why = isAsked ? whyNot(plan, examined) : { text: 'not tried' };
  if (why) return { rows: skippedRows(plan, why.text, `${why.before ?? ''}${command}`), tried: false };
  host.say('booting your system, to see whether it works …', 'dim');
  const { visitLive } = await import('./live-visit.ts'); // not needed for checks of the machine alone
  const visit = await visitLive(visitor, plan);
  return {
    rows: liveRows(plan, visit, command),
    tried: true,
    exitCode: exitCodeOf(visit),
    ...(visit.run === undefined ? {} : { run: visit.run }),
  };
}

function whyNot({ missingKeys }: LivePlan, examined: readonly Examined[]) {
  const bad = examined.filter(({ state }) => state === 'missing' || state === 'broken');
  if (bad.length > 0)
    return { text: `not tried: first fix ${bad.map(({ name }) => name).join(', ')}, above` };
  if (missingKeys.length > 0)
    return {
      text: `not tried: the real providers of this config need ${missingKeys.join(', ')}`,
      /** Variables that must precede the command. */
      before: missingKeys.map((key) => `${key}=… `).join(''),
    };
  return undefined;
}

/** Trials decide the exit code as in a run; a failed boot has its own problems. */
function exitCodeOf({ verdict, leaks }: LiveVisit): ExitCode {
  if (verdict) return verdict.exitCode;
  return leaks.length > 0 ? exitCodes.leftBehind : exitCodes.held;
}
