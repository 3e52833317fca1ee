/** Reads a config file, YAML or module, into plain data with positions. */
import { extname } from 'node:path';
import { Problem, Problems, refuse } from '../kernel/problem.ts';
import { createConfigSource } from './source/config-source.ts';
import { importConfig } from './source/import-config.ts';
import { moduleSourceNode } from './source/module-source-node.ts';
import { plainDataProblems } from './source/plain-data.ts';
import { readText } from './source/read-text.ts';
import { threwProblem } from './source/stray-problem.ts';
import { stripTypes } from './source/strip-types.ts';
import type { ParsedDocument } from './source/yaml-document.ts';

const extensions = ['.ts', '.mts', '.js', '.mjs', '.yaml', '.yml'];

export async function readConfig(file: string): Promise<ParsedDocument> {
  if (!extensions.includes(extname(file))) throw unknownExtension(file);
  const codes = { absent: 'config.not-found', unreadable: 'config.unreadable' } as const;
  const text = await readText(file, { noun: 'config', ...codes });
  if (!/\.ya?ml$/.test(file)) return readModule(file, text);
  // The reader of YAML is loaded only for a config in YAML.
  const { parseYamlDocument } = await import('./source/yaml-document.ts');
  const parsed = parseYamlDocument(file, text, 'config.syntax');
  refuse(plainDataProblems(parsed.value, parsed.source));
  return parsed;
}

async function readModule(file: string, text: string): Promise<ParsedDocument> {
  const javascript = /\.m?ts$/.test(file) ? stripTypes(file, text) : text;
  const { exported } = await importConfig(file, text);
  const source = createConfigSource(file, text, () => moduleSourceNode(javascript));
  try {
    refuse(plainDataProblems(exported, source));
    // From here on there are no getters.
    return { value: structuredClone(exported), source };
  } catch (error) {
    throw error instanceof Problems ? error : threwProblem(error, file);
  }
}

function unknownExtension(file: string): Problem {
  return new Problem({
    code: 'config.unreadable',
    where: file,
    what: `the name of the config ${extname(file) === '' ? 'has no extension' : `ends with ${extname(file)}`}`,
    allowed: extensions.join(', '),
    next: 'use shakedown.config.ts or shakedown.yaml',
  });
}
