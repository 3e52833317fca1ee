/** The live part of an examination: tried when it was asked for and nothing stands in its way, shown as skipped otherwise. */

import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { Interrupts } from '../interrupts.ts';
import { type Call, optionText } from '../verb.ts';
import type { Examined } from './check.ts';
import { type LivePlan, planLive } from './live-plan.ts';
import { type LiveRow, type LiveVisit, liveRows, skippedRows } from './live-rows.ts';
import type { SuiteLook } from './suite-look.ts';

export interface LiveAnswer {
  readonly rows: readonly LiveRow[];
  /** False when everything was only shown. */
  readonly tried: boolean;
  /** With which the run of the trials would have ended. */
  readonly exitCode?: ExitCode;
  readonly run?: string;
}

/** Undefined where there is no system, or none that could be tried. */
export async function examineLive(
  call: Call,
  suite: SuiteLook,
  examined: readonly Examined[],
  interrupts: Interrupts,
): Promise<LiveAnswer | undefined> {
  if (suite.kind !== 'loaded') return undefined;
  const plan = await planLive(call, suite);
  const command = liveCommand(call);
  const why = whyNot(call, plan, examined);
  if (why) return { rows: skippedRows(plan, why.text, `${why.before ?? ''}${command}`), tried: false };
  if (!call.json)
    call.terminal.err(call.terminal.paint('dim', 'booting your system, to see whether it works …'));
  const { visitLive } = await import('./live-visit.ts'); // whoever only asks about the machine does without it
  const visit = await visitLive(call, suite, plan, interrupts);
  return {
    rows: liveRows(plan, visit, command),
    tried: true,
    exitCode: exitCodeOf(visit),
    ...(visit.run === undefined ? {} : { run: visit.run }),
  };
}

function liveCommand(call: Call): string {
  const config = optionText(call, 'config');
  return `shakedown doctor${config === undefined ? '' : ` --config ${shellWord(config)}`} --live`;
}

interface Reason {
  readonly text: string;
  /** What has to stand before the command for it to help. */
  readonly before?: string;
}

function whyNot(call: Call, { missingKeys }: LivePlan, examined: readonly Examined[]): Reason | undefined {
  if (call.options.live !== true) return { text: 'it was not tried' };
  const bad = examined.filter(({ state }) => state === 'missing' || state === 'broken');
  if (bad.length > 0)
    return { text: `it was not tried: first see to ${bad.map(({ name }) => name).join(', ')}, above` };
  if (missingKeys.length > 0)
    return {
      text: `it was not tried: the real providers of this config need ${missingKeys.join(', ')}`,
      before: missingKeys.map((key) => `${key}=… `).join(''),
    };
  return undefined;
}

/** What was tried decides as it would have decided a run; what did not boot says so itself. */
function exitCodeOf({ verdict, leaks }: LiveVisit): ExitCode {
  if (verdict) return verdict.exitCode;
  return leaks.length > 0 ? exitCodes.leftBehind : exitCodes.held;
}
