/** `logs`: what services of a run have printed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { findLogs } from '../../campaigns/up/find-logs.ts';
import { logTail } from '../../environment/log-tail.ts';
import { environmentFolderOf } from '../../environment/run-folder.ts';
import { counted } from '../../kernel/counted.ts';
import { badUsage } from '../../kernel/problem.ts';
import { piecesOf } from '../answer/page.ts';
import { inside, runFolder } from '../answer/stored.ts';
import { cursorArgument, defineTool, reads, runArgument } from '../answer/tool.ts';

/** Of each log, from its end. */
const readBytes = 4 * 1024 * 1024;

export const logs = defineTool({
  name: 'logs',
  title: 'Read logs',
  description: 'Reads the last lines that services, jobs and resources of a run have printed.',
  input: z.strictObject({
    run: runArgument,
    services: z.array(z.string().max(200)).max(50).default([]).describe('Their names; all when empty.'),
    environment: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Which environment of the run; the first when absent.'),
    tail: z.int().min(1).max(10_000).default(200).describe('So many last lines of each that match.'),
    grep: z.string().max(200).optional().describe('Only lines with this text in them, in any case.'),
    cursor: cursorArgument,
  }),
  annotations: reads,
  answer: async ({ run, services, environment, tail, grep = '' }, context) => {
    const folder = await runFolder(context, run);
    const place = environment === undefined ? folder : environmentFolderOf(folder, environment);
    if (!existsSync(path.join(place, 'services'))) throw noLogs(run, environment);
    const { files, redactor } = await findLogs(context.host, services, place);
    const found = files.map(({ name, file }) => {
      const text = logTail(inside(context.project, file), Number.POSITIVE_INFINITY, readBytes).join('\n');
      const lines = redactor.redact(text).split('\n');
      const matching = lines.filter((line) => line !== '' && line.toLowerCase().includes(grep.toLowerCase()));
      return { name, lines: matching.slice(-tail) };
    });
    return {
      says: [
        `Run ${path.basename(folder)}: ${found.map(({ name, lines }) => `${name} (${counted(lines.length, 'line')})`).join(', ')}.`,
      ],
      data: {
        run: path.basename(folder),
        services: found.map(({ name, lines }) => ({ service: name, lines: lines.length })),
      },
      evidence: found.flatMap(({ name, lines }) => lines.flatMap((line) => piecesOf(`${name} | ${line}\n`))),
    };
  },
});

function noLogs(run: string, environment: number | undefined) {
  const which = environment === undefined ? '' : `, environment ${environment}`;
  return badUsage(
    `run ${run}${which}`,
    'there are no logs',
    'an environment of the run that was booted',
    'leave `environment` out for the first one',
  );
}
