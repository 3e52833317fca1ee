/** `shakedown doctor`: what this machine can do and what is missing; with `--live`, whether the system works. */
import type { Examined } from '../../campaigns/doctor/checks/check.ts';
import { diagnose } from '../../campaigns/doctor/diagnose.ts';
import { defined } from '../../kernel/defined.ts';
import { problemToData } from '../../kernel/problem.ts';
import { print } from '../call/print.ts';
import type { Verb } from '../call/verb.ts';
import { writeReports } from '../report/write-reports.ts';
import { formatChecks } from '../view/format-checks.ts';

export const doctor: Verb = {
  summary: 'show what this machine can do, what is missing, and how to get it',
  usage: '[--live]',
  options: {
    live: { help: 'boot your own system for real, and run one smoke trial through each entry point' },
  },
  run: async (call) => {
    const diagnosis = await diagnose(call, { live: call.options.live === true, writeReports });
    if (typeof diagnosis === 'number') return diagnosis;
    const { examined, live, exitCode } = diagnosis;
    const rows = live?.rows ?? [];
    const errors = [...examined, ...rows].flatMap(({ problems }) => problems ?? []).map(problemToData);
    const shown = live && {
      tried: live.tried,
      run: live.run ?? null,
      checks: rows.map((row) => ({ ...plain(row), trial: row.trial ?? null })),
    };
    const data = defined({ checks: examined.map(plain), errors, exitCode, live: shown });
    print(call, data, (terminal) => formatChecks(diagnosis, terminal));
    return exitCode;
  },
};

function plain({ name, state, detail, next }: Examined): object {
  return { name, state, detail, next: next ?? null };
}
