/** `lint`: all errors of config and trials, or what is wrong with the suite as a whole. */
import { z } from 'zod';
import { lintProject } from '../../campaigns/lint/project/lint-project.ts';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { counted } from '../../kernel/counted.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { cursorArgument, defineTool, reads } from '../answer/tool.ts';

export const lint = defineTool({
  name: 'lint',
  title: 'Lint the suite',
  description:
    'Reads the config and every trial as a run would, reports all errors, and then what makes the suite dishonest: trials that prove nothing, mocks, sleeps, writes that bypass the system. Boots nothing.',
  input: z.strictObject({ cursor: cursorArgument }),
  annotations: reads,
  answer: async (_, { host, interrupts }) => {
    const system = await openSystem(host);
    const trials = await loadTrials(system);
    const request = {
      ...{ live: false, attach: false, since: undefined },
    };
    const { findings } = await lintProject(host, { system, trials }, request, interrupts);
    const serious = findings.filter(({ level }) => level === 'finding').length;
    return {
      says: [
        `Config and ${counted(trials.length, 'trial')} are well-formed: ${counted(serious, 'finding')}, ${counted(findings.length - serious, 'warning')}.`,
      ],
      data: { trials: trials.length, findings: serious, warnings: findings.length - serious },
      own: findings.map((finding) => {
        const { level, kind, file, line, text, why, next } = finding;
        return {
          text: `${level} ${kind} ${file}:${line}: ${text}\n  why   ${why}\n  next  ${next}`,
          data: finding,
        };
      }),
    };
  },
});
