/** No service may end by itself during a trial; one that the trial itself ended does not count. */
import type { AttemptView } from './attempt-view.ts';
import type { CheckVerdict } from './verdict.ts';

export const processGateId = 'processes';

export function judgeProcesses(view: AttemptView): CheckVerdict[] {
  const { deaths, record } = view;
  const told = deaths.map(
    ({ kind, name, code, signal }) =>
      `${kind} ${name} ended by itself, ${signal ? `by ${signal}` : `with ${code}`}`,
  );
  return [
    {
      id: processGateId,
      title: 'no process ended by itself',
      line: record.line,
      verdict: deaths.length > 0 ? 'failed' : 'passed',
      expected: 'every service stays up',
      observed: told[0] ?? 'all stayed up',
      ...(told.length > 1 ? { explanation: told.join('\n') } : {}),
      evidence: deaths.map(({ seq }) => seq),
    },
  ];
}
