/** What we say ourselves about a run: its verdict, numbers, and the trials that did not pass. */
import { judgedBadly, type RunVerdict } from '../../checks/verdict.ts';
import { counted } from '../../kernel/counted.ts';
import { factsOf, sayFacts } from './facts.ts';

const mostTrials = 30;

export function sayVerdict({ run, seed, verdict, exitCode, counts, durationMs, leaks, trials }: RunVerdict) {
  const bad = trials.filter((trial) => judgedBadly(trial.verdict));
  const shown = bad.slice(0, mostTrials).map(factsOf);
  const numbers = Object.entries(counts).filter(([name, count]) => count > 0 || name === 'failed');
  return {
    says: [
      `Run ${run}: ${verdict}, exit code ${exitCode} (${numbers.map(([name, count]) => `${count} ${name}`).join(', ')}).`,
      ...(leaks.length === 0 ? [] : [`${counted(leaks.length, 'thing')} left behind.`]),
      ...shown.flatMap(sayFacts),
      ...(bad.length > mostTrials ? [`… and ${bad.length - mostTrials} more that did not pass.`] : []),
    ],
    data: { run, seed, verdict, exitCode, counts, durationMs, leaks: leaks.length, notPassed: shown },
  };
}
