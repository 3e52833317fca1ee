/** Parses a YAML config or manifest into plain data, with the position of every key and value. */
import { type Document, type ParsedNode, parseAllDocuments, visit, type YAMLError } from 'yaml';
import { exactScalar } from '../../kernel/exact-json.ts';
import { Problem, refuse } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import { positionAt } from '../../kernel/source-position.ts';
import { type ConfigSource, createConfigSource } from './config-source.ts';
import { checkYamlKeys, describeDuplicate } from './yaml-keys.ts';
import { yamlSourceNode } from './yaml-source-node.ts';

export interface ParsedDocument {
  readonly value: unknown;
  readonly source: ConfigSource;
}

const maxAliasCount = 100;
/** A number can always hold fewer digits. */
const longNumber = /\d[\w.]{13}|[\d.][eE][+-]?\d{3}/;

/** The text must hold exactly one document; `syntaxCode` is used for all syntax errors. */
export function parseYamlDocument(file: string, text: string, syntaxCode: ProblemCode): ParsedDocument {
  const document = parseYamlText(file, text, syntaxCode);
  if (longNumber.test(text))
    visit(document, {
      Scalar: (_, node) => {
        node.value = exactScalar(node.value, node.source);
      },
    });
  const value = toPlainData(file, text, document, syntaxCode);
  return { value, source: createConfigSource(file, text, () => yamlSourceNode(document)) };
}

/** The only document of the text, with its own tags as far as they are known. */
export function parseYamlText(
  file: string,
  text: string,
  syntaxCode: ProblemCode,
  tags: readonly string[] = [],
): Document.Parsed {
  const documents = parseAllDocuments(text, { merge: true, prettyErrors: false });
  const [document, second] = [...documents];
  if (!document) throw emptyProblem(file, text, syntaxCode);
  refuse(syntaxProblems(file, text, document, syntaxCode, tags));
  if (second) throw secondDocument(file, text, second, syntaxCode);
  refuse(checkYamlKeys(file, text, document, syntaxCode));
  return document;
}

/** A broken line often breaks those after it, so only the first syntax error is reported, but every duplicate key. */
function syntaxProblems(
  file: string,
  text: string,
  document: Document.Parsed,
  code: ProblemCode,
  tags: readonly string[],
): Problem[] {
  const warnings = document.warnings.filter(({ pos }) => !tags.includes(text.slice(...pos)));
  const found = [...document.errors, ...warnings];
  const repeated = found.filter((error) => error.code === 'DUPLICATE_KEY');
  const first = found.find((error) => error.code !== 'DUPLICATE_KEY');
  if (first) return [syntaxProblem(file, text, first, code)];
  return repeated.map((error) => describeDuplicate(file, text, document, error.pos));
}

function syntaxProblem(file: string, text: string, error: YAMLError, code: ProblemCode): Problem {
  const [start, end] = error.pos;
  const isBareReference = text.startsWith('${', start - 1);
  const offset = isBareReference ? start - 1 : Math.min(start, text.trimEnd().length);
  const message = `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
  return new Problem({
    code,
    where: positionAt(file, text, offset, Math.max(1, end - start)),
    what: `this is not YAML: ${isBareReference ? 'a `${…}` without quotes inside { } or [ ]' : message}`,
    allowed: 'YAML 1.2 without own tags, indented with spaces',
    next: isBareReference ? 'put quotes around it: "${…}"' : adviceFor(error),
    cause: error,
  });
}

function adviceFor(error: YAMLError): string {
  if (error.message.includes('and end with a')) return 'close the bracket that is opened above';
  return advice[error.code] ?? 'correct this line; an unclosed bracket or quote above it is the usual cause';
}

const advice: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'replace the tab by two spaces',
  TAG_RESOLVE_FAILED: 'remove the tag, or put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put quotes around a value that holds `: `',
  BAD_SCALAR_START: 'put quotes around the value',
  MISSING_CHAR: 'close the quote or the bracket',
  BAD_INDENT: 'give the keys of one map the same indentation',
};

function emptyProblem(file: string, text: string, code: ProblemCode): Problem {
  return new Problem({
    code,
    where: positionAt(file, text, 0),
    what: text.trim() === '' ? 'the file is empty' : 'the file holds nothing but comments',
    allowed: 'one YAML document',
    next: 'write the document, or remove the file',
  });
}

function secondDocument(
  file: string,
  text: string,
  second: Document.Parsed<ParsedNode>,
  code: ProblemCode,
): Problem {
  return new Problem({
    code,
    where: positionAt(file, text, second.range[0], 3),
    what: 'a second YAML document begins here',
    allowed: 'one document per file',
    next: 'remove the `---` line, or move what follows to a file of its own',
  });
}

function toPlainData(file: string, text: string, document: Document.Parsed, code: ProblemCode): unknown {
  try {
    return document.toJS({ maxAliasCount });
  } catch (error) {
    const alias = /alias\): (\S+)/.exec(String(error))?.[1];
    const offset = alias === undefined ? 0 : Math.max(0, text.indexOf(`*${alias}`));
    throw new Problem({
      code,
      where: positionAt(file, text, offset, (alias?.length ?? 0) + 1),
      what:
        alias === undefined
          ? 'aliases inside aliases make the document too large'
          : `the alias *${alias} has no anchor above it`,
      allowed: `an alias to an anchor &name further up, at most ${maxAliasCount} aliases within each other`,
      next: alias === undefined ? 'write the values out' : `add &${alias} to the value that it refers to`,
      cause: error,
    });
  }
}
