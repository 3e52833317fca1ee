/** Reads a YAML document that stands beside the config: checked against its schema, with the location of every part. */
import { refuse } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { parseYamlDocument } from '../source/yaml-document.ts';
import { type DocumentSchema, documentProblems } from './document-problems.ts';
import { sortProblems } from './sort-problems.ts';

export interface ParsedDocument<Document> {
  readonly document: Document;
  readonly source: ConfigSource;
}

/** `noun` names the document in messages; `code` is that of a text that is not YAML. */
export function parseDocument<Document>(
  file: string,
  text: string,
  schema: DocumentSchema,
  noun: string,
  code: ProblemCode = 'config.syntax',
): ParsedDocument<Document> {
  const { value, source } = parseYamlDocument(file, text, code);
  const { error } = schema.safeParse(value);
  const kind = { noun, isOpen: () => false };
  refuse(sortProblems(documentProblems(error?.issues ?? [], value, source, kind)));
  return { document: value as Document, source };
}
