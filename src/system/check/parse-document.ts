/** Reads a YAML document that stands beside the config: checked against its schema, with the location of every part. */
import { Problems } from '../../kernel/problem.ts';
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
  const problems = documentProblems(error?.issues ?? [], value, source, { noun, isOpen: () => false });
  if (problems.length > 0) throw new Problems(sortProblems(problems));
  return { document: value as Document, source };
}
