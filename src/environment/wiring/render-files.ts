/** Renders config files (toml, yaml, json, env) from templates, and checks that the result can be parsed. */
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { writeFileBelow } from '../../kernel/folders/entries-below.ts';
import { parserFault } from '../../kernel/parser-fault.ts';
import { Problem } from '../../kernel/problem.ts';
import type { FileSpec } from '../../system/system.ts';
import { type Lookup, resolveText } from './resolve.ts';
import { templateText } from './template-text.ts';

export interface RenderedFile {
  readonly file: string;
  readonly bytes: number;
}

/** No link below `below` is followed on the way to the file. */
export function renderFile(
  spec: FileSpec,
  folder: string,
  below: string,
  lookup: Lookup,
  where: string,
  mode = 0o600,
): RenderedFile {
  const place = `${where}, file ${spec.to}`;
  const text = resolveText(templateText(spec), lookup, place, escapes[spec.format]);
  try {
    readers[spec.format](text);
  } catch (error) {
    throw broken(spec, place, error);
  }
  const file = path.join(folder, spec.to);
  writeFileBelow(below, file, text, mode);
  return { file, bytes: Buffer.byteLength(text) };
}

/** A value is usually between quotes, so quotes and backslashes in it are escaped. */
const insideQuotes = (value: string): string => JSON.stringify(value).slice(1, -1);
const asItIs = (value: string): string => value;

const escapes: Record<FileSpec['format'], (value: string) => string> = {
  toml: insideQuotes,
  json: insideQuotes,
  yaml: asItIs,
  env: asItIs,
  text: asItIs,
};

const readers: Record<FileSpec['format'], (text: string) => unknown> = {
  toml: parseToml,
  json: parseExactJson,
  yaml: (text) => parseYaml(text, { logLevel: 'error' }),
  env: readEnvFile,
  text: asItIs,
};

function readEnvFile(text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (!/^\s*(#.*)?$|^\s*(export\s+)?[A-Za-z_][A-Za-z0-9_]*=/.test(line)) {
      throw new Error(`line ${index + 1} is neither NAME=value nor a comment`);
    }
  }
}

function broken(spec: FileSpec, where: string, error: unknown): Problem {
  return new Problem({
    code: 'template.broken',
    where: 'file' in spec.template ? `${where}, from ${spec.template.file}` : where,
    what: `the rendered template is not valid ${spec.format}: ${parserFault(error)}`,
    allowed: `a template that is valid ${spec.format} once its \${…} are filled in`,
    next: 'correct the template; put values with special characters between quotes',
  });
}
