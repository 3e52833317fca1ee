/** Reads a config file, YAML or module, into plain data with positions. */
import { extname } from 'node:path';
import { Problem, Problems } from '../kernel/problem.ts';
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
  const text = await readText(file, {
    noun: 'config',
    absent: 'config.not-found',
    unreadable: 'config.unreadable',
  });
  if (!/\.ya?ml$/.test(file)) return readModule(file, text);
  const parsed = await readYaml(file, text);
  refuseOddities(parsed);
  return parsed;
}

function refuseOddities({ value, source }: ParsedDocument): void {
  const problems = plainDataProblems(value, source);
  if (problems.length > 0) throw new Problems(problems);
}

/** The reader of YAML is loaded only for a config in YAML. */
async function readYaml(file: string, text: string): Promise<ParsedDocument> {
  const { parseYamlDocument } = await import('./source/yaml-document.ts');
  return parseYamlDocument(file, text, 'config.syntax');
}

async function readModule(file: string, text: string): Promise<ParsedDocument> {
  const javascript = /\.m?ts$/.test(file) ? stripTypes(file, text) : text;
  const { exported } = await importConfig(file, text);
  const source = createConfigSource(file, text, () => moduleSourceNode(javascript));
  try {
    refuseOddities({ value: exported, source });
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
