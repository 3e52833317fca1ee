/** Reads one manifest of a roster: TOML, YAML or JSON by its extension. */
import { dirname, extname } from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { Problem } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { readText } from '../source/read-text.ts';

export interface Manifest {
  readonly file: string;
  readonly text: string;
  /** The content of the manifest, plus `folder` and `file`, both absolute. */
  readonly it: Readonly<Record<string, unknown>>;
}

const broken = 'roster.broken-manifest';
const extensions = ['.toml', '.yaml', '.yml', '.json'];

export async function readManifest(file: string, namedAt: () => SourcePosition): Promise<Manifest> {
  const text = await readText(file, { noun: 'manifest', unreadable: broken, namedAt });
  const value = await parseManifest(file, text, namedAt);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAMap(file, text);
  return { file, text, it: { ...value, folder: dirname(file), file } };
}

async function parseManifest(file: string, text: string, namedAt: () => SourcePosition): Promise<unknown> {
  switch (extname(file)) {
    case '.toml':
      return parseTomlManifest(file, text);
    case '.yaml':
    case '.yml':
      return (await import('../source/yaml-document.ts')).parseYamlDocument(file, text, broken).value;
    case '.json':
      return parseJsonManifest(file, text);
    default:
      throw unknownExtension(file, namedAt());
  }
}

function parseTomlManifest(file: string, text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const line = text.split('\n').slice(0, error.line - 1);
    const offset = line.reduce((sum, { length }) => sum + length + 1, 0) + error.column - 1;
    const what = (error.message.split('\n')[0] as string).replace(/^Invalid TOML document: /, '');
    throw brokenManifest(file, text, offset, `this is not TOML: ${what}`, error);
  }
}

function parseJsonManifest(file: string, text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    const { message, at } = error as Error & { readonly at?: number };
    const offset = at ?? Math.max(0, text.trimEnd().length - 1);
    throw brokenManifest(
      file,
      text,
      offset,
      `this is not JSON: ${message.replace(/,? (?:in JSON )?at position .*$/s, '')}`,
      error,
    );
  }
}

function brokenManifest(file: string, text: string, offset: number, what: string, cause: unknown): Problem {
  return new Problem({
    code: broken,
    where: positionAt(file, text, offset),
    what,
    allowed: 'a manifest that can be read: TOML, YAML or JSON, by its extension',
    next: 'correct this line; an unclosed bracket or quote above it is the usual cause',
    cause,
  });
}

function notAMap(file: string, text: string): Problem {
  return new Problem({
    code: broken,
    where: positionAt(file, text, 0),
    what: 'the manifest is not a map',
    allowed: 'keys and values at the top of a manifest',
    next: 'put the values under keys',
  });
}

function unknownExtension(file: string, where: SourcePosition): Problem {
  return new Problem({
    code: broken,
    where,
    what: `the glob finds ${file}, which ends with ${JSON.stringify(extname(file))}`,
    allowed: extensions.join(', '),
    next: "name the manifests in the glob, such as 'roster/*/butler.toml'",
  });
}
