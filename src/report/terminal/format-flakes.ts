/** The flake ledger for a person, and the line about a known flake at the end of a run. */
import type { FlakeLedger, HistoryState, TrialHistory } from '../../checks/trial-history.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { counted } from '../../kernel/counted.ts';
import {
  andMore,
  block,
  firstOf,
  item,
  type Line,
  line,
  printLines,
  type ReportOptions,
  type Style,
} from './line.ts';
import { storyLimits } from './story-limits.ts';

export function formatFlakes(ledger: FlakeLedger, options: ReportOptions = {}): string[] {
  const { runs, unread, trials } = ledger;
  const odd = trials.filter(({ state }) => state !== 'steady');
  const steady = trials.length - odd.length;
  const lines: readonly Line[] = [
    line(`${counted(runs, 'stored run')}, ${counted(trials.length, 'trial')}: ${sums(ledger)}`, 'bold'),
    ...firstOf(odd, storyLimits.skips, formatHistory, andMore('')),
    ...formatUnread(unread),
    line(''),
    item('', nextStep(odd, steady), 'dim'),
  ];
  return printLines(lines, options);
}

const words: Readonly<Record<HistoryState, { readonly word: string; readonly style: Style }>> = {
  flake: { word: 'flake', style: 'yellow' },
  suspect: { word: 'may be a flake', style: 'yellow' },
  regression: { word: 'regression', style: 'red' },
  failing: { word: 'never held', style: 'red' },
  steady: { word: 'steady', style: 'green' },
};

function sums({ trials }: FlakeLedger): string {
  if (trials.length === 0) return 'nothing is known yet';
  const states = [...Map.groupBy(trials, ({ state }) => state)];
  return states.map(([state, of]) => `${of.length} ${words[state].word}`).join(', ');
}

function formatHistory(history: TrialHistory): readonly Line[] {
  const { id, state, because, checks, causes, lastSeen } = history;
  const [cause] = causes;
  const failing = checks.slice(0, storyLimits.faults).map(({ check, times }) => `${check} (${times})`);
  return [
    line(''),
    item(`${words[state].word}  `, `${id}: ${because ?? ''}`, words[state].style),
    line(`    ${numbers(history)}; last seen in ${lastSeen.run}: ${lastSeen.verdict}`, 'dim'),
    ...(failing.length > 0 ? [item('    failing checks: ', failing.join(', '))] : []),
    ...(cause ? [item('    most often: ', cause.text)] : []),
  ];
}

function numbers({ runs, passed, failed, unstable, undecided }: TrialHistory): string {
  const shown = [
    `${passed} passed`,
    `${failed} failed`,
    ...(unstable > 0 ? [`${unstable} unstable`] : []),
    ...(undecided > 0 ? [`${undecided} skipped or unknown`] : []),
  ];
  return `${counted(runs, 'run')}: ${shown.join(', ')}`;
}

const mostUnread = 10;

/** Runs of `up` are expected, and only counted. */
function formatUnread(unread: FlakeLedger['unread']): readonly Line[] {
  const odd = unread.filter(({ kind }) => kind !== 'up');
  const others = unread.length - odd.length;
  const drawn = firstOf(odd, mostUnread, ({ run, why }) => item(`  ${run}  `, why, 'yellow'), andMore('  '));
  return [
    ...block(`${counted(odd.length, 'run folder')} not read`, drawn),
    ...(others > 0 ? [line(`${counted(others, 'run')} of \`up\`, without trials`, 'dim')] : []),
  ];
}

function nextStep(odd: readonly TrialHistory[], steady: number): string {
  if (odd.some(({ state }) => state === 'flake'))
    return 'repair a flake, or put it in shakedown/quarantine.yaml with an owner and an end date';
  if (odd.length > 0) return `the rest, ${steady}, is steady`;
  return steady > 0 ? 'no trial alternated' : 'perform trials first: shakedown run';
}

/**
 * Trials that failed now and are known to pass at other times, with nothing changed: the reader of the failure should
 * know. A failure under other circumstances, such as another environment or edited files, is not one of theirs.
 */
export function formatKnownFlakes(
  { trials, revision, run }: RunVerdict,
  ledger: FlakeLedger,
): readonly Line[] {
  const shown = trials.flatMap(({ id, verdict }) => {
    if (verdict !== 'failed' && verdict !== 'unstable') return [];
    const history = ledger.trials.find((one) => one.id === id);
    if (!history || (history.state !== 'flake' && history.state !== 'suspect')) return [];
    const here = history.alternations.find(({ lastRun }) => lastRun === run);
    if (!here) return [];
    const on = revision === null ? 'of this config' : 'on this revision';
    return [`${id}  failed in ${here.failed + here.unstable} of ${here.runs} runs ${on}`];
  });
  if (shown.length === 0) return [];
  return block('Known flakes', [
    ...shown.slice(0, storyLimits.reasons).map((text) => item('    ', text, 'yellow')),
    line('    more about them: shakedown report --flakes', 'dim'),
  ]);
}
