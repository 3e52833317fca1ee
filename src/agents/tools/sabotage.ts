/** `sabotage`: which checks of a stored run cannot fail, and what no check reads. */
import { z } from 'zod';
import { mostSevere, sabotageStored } from '../../campaigns/sabotage/sabotage-stored.ts';
import { formatSabotage } from '../../report/terminal/format-sabotage.ts';
import { piecesOf } from '../answer/page.ts';
import { runFolder } from '../answer/stored.ts';
import { cursorArgument, defineTool, reads, runArgument } from '../answer/tool.ts';

export const sabotage = defineTool({
  name: 'sabotage',
  title: 'Sabotage a stored run',
  description:
    'Falsifies what a stored run observed, and finds checks that stay green: they cannot fail. Also names values that no check reads, with checks to paste. Boots nothing, and writes nothing.',
  input: z.strictObject({
    run: runArgument,
    exposures: z.int().min(0).max(200).default(10).describe('So many places that no check reads.'),
    cursor: cursorArgument,
  }),
  annotations: reads,
  answer: async ({ run, exposures }, context) => {
    const folder = await runFolder(context, run);
    const result = await sabotageStored(context.host, folder, { accept: undefined, prune: false });
    const { sabotaged, open, accepted, stale, exitCode } = result;
    const shown = mostSevere(sabotaged.exposures, exposures);
    const findings = open.map(({ trial, check, file, line, kind }) => ({ trial, check, file, line, kind }));
    return {
      says: [
        `${sabotaged.checks} checks were tried, ${open.length} cannot fail; exit code ${exitCode}.`,
        ...findings
          .slice(0, 30)
          .map(({ trial, check, file, line }) => `  ${trial}, check ${check}: ${file}:${line}`),
      ],
      data: {
        ...{ exitCode, checks: sabotaged.checks, findings: findings.slice(0, 100) },
        ...{ accepted: accepted.length, stale: stale.length, exposures: sabotaged.exposures.length },
      },
      evidence: piecesOf(formatSabotage({ ...result, shown }, {}).join('\n')),
    };
  },
});
