/** The log gate: a new error line in any service fails the trial, unless it is allowed there for a reason. */
import { createRegexTester } from '../patterns/bounded-regex.ts';
import { clipText } from '../patterns/print-value.ts';
import type { AttemptView } from './attempt-view.ts';
import { isAllowed } from './log-allowance.ts';
import type { CheckVerdict } from './verdict.ts';

export const logGateId = 'logs';

export function judgeLogs(view: AttemptView): CheckVerdict[] {
  const { error, allow } = view.record.logs;
  if (error === undefined) return [];
  const regexes = createRegexTester();
  const found = view.logErrors.filter((one) => !isAllowed(one, allow, regexes));
  const [first] = found;
  const [undecided] = view.logsUndecided;
  if (!first && undecided) return [notLookedAt(view, undecided)];
  return [
    {
      id: logGateId,
      title: 'no new error line in any log',
      line: view.record.line,
      verdict: first ? 'failed' : 'passed',
      expected: 'no line that matches the log gate, except those that are allowed',
      observed: first ? `${first.service}: ${clipText(first.text)}` : 'none',
      ...(found.length > 0 ? { explanation: explain(found) } : {}),
      evidence: found.map(({ seq }) => seq),
    },
  ];
}

/** A gate that gave up on a line has not held. */
function notLookedAt(
  view: AttemptView,
  { seq, service, lines, because }: AttemptView['logsUndecided'][number],
): CheckVerdict {
  const gate = { id: logGateId, line: view.record.line, verdict: 'unknown', evidence: [seq] } as const;
  if (because !== undefined)
    return {
      ...gate,
      expected: 'logs that only grow during the attempt',
      observed: `${service}: ${because}`,
      explanation: `the log of ${service} was lost: ${because}; the service must not truncate it: \`> /dev/stdout\` empties it, \`>&1\` does not`,
    };
  return {
    ...gate,
    expected: 'an expression that can be decided on every line',
    observed: `${service}: ${lines} lines that were too long, were dropped, or on which it took too long`,
    explanation:
      'let the service write shorter lines, and less than 256 MB, or make the expression under `logs: { error }` simpler',
  };
}

const mostShown = 10;

function explain(found: readonly { readonly service: string; readonly text: string }[]): string {
  const shown = found.slice(0, mostShown).map(({ service, text }) => `${service} | ${clipText(text)}`);
  const rest = found.length > mostShown ? [`… and ${found.length - mostShown} more`] : [];
  return [
    ...shown,
    ...rest,
    'expected here? add it to `logs: { allow: [{ service, match, because }] }` of the trial',
  ].join('\n');
}
