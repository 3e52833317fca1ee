/** Reads the compose files of a config from the disk. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { readText } from '../source/read-text.ts';
import { yamlPosition } from '../source/yaml-tree.ts';
import type { ComposeProject } from './compose-model.ts';
import { createReport } from './compose-report.ts';
import { type ComposeRequest, readCompose } from './read-compose.ts';
import type { ComposeReading } from './read-compose-file.ts';

/** `namedAt` says where the config names a file. */
export async function openCompose(
  request: ComposeRequest,
  namedAt: (file: string) => SourcePosition | undefined = () => undefined,
): Promise<ComposeProject> {
  const texts = new Map<string, string>();
  const reading: ComposeReading = {
    report: createReport(),
    home: request.variables('HOME'),
    readText: async (file, noun, at) => {
      const known = texts.get(file);
      if (known !== undefined) return known;
      const position = at ? yamlPosition(at) : namedAt(file);
      const text = await readText(file, {
        noun,
        absent: 'compose.not-found',
        unreadable: 'compose.unreadable',
        ...(position ? { namedAt: () => position } : {}),
      });
      texts.set(file, text);
      return text;
    },
    exists: existsSync,
  };
  const project = await readCompose(request, reading);
  return {
    ...project,
    texts: [...texts].map(([file, text]) => `${relative(project.folder, file)}\n${text}`),
  };
}
