/** No service may end by itself during a trial; one that the trial itself ended does not count. */
import type { AttemptView } from './attempt-view.ts';
import type { CheckVerdict } from './verdict.ts';

export const processGateId = 'processes';

export function judgeProcesses(view: AttemptView): CheckVerdict[] {
  const { deaths, record } = view;
  const shown = deaths.map(
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
      observed: shown[0] ?? 'all stayed up',
      ...(shown.length > 1 ? { explanation: shown.join('\n') } : {}),
      evidence: deaths.map(({ seq }) => seq),
    },
  ];
}
