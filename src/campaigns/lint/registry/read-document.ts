/** Reads a document that a team keeps beside its suite: YAML, checked against its form, with the place of every part. */
import type { Problem } from '../../../kernel/problem.ts';
import { Problems } from '../../../kernel/problem.ts';
import { type DocumentSchema, documentProblems } from '../../../system/check/document-problems.ts';
import { sortProblems } from '../../../system/check/sort-problems.ts';
import type { ConfigSource } from '../../../system/source/config-source.ts';
import { readText } from '../../../system/source/read-text.ts';
import { parseYamlDocument } from '../../../system/source/yaml-document.ts';

export interface ReadDocument<Document> {
  readonly document: Document;
  readonly source: ConfigSource;
}

export async function readDocument<Document>(
  file: string,
  schema: DocumentSchema,
  noun: string,
): Promise<ReadDocument<Document>> {
  const text = await readText(file, { noun, absent: 'config.not-found', unreadable: 'config.unreadable' });
  return parseDocument(file, text, schema, noun);
}

/** The same from a text that is there already, such as that of an older revision. */
export function parseDocument<Document>(
  file: string,
  text: string,
  schema: DocumentSchema,
  noun: string,
): ReadDocument<Document> {
  const { value, source } = parseYamlDocument(file, text, 'config.syntax');
  const { error } = schema.safeParse(value);
  const problems: Problem[] = documentProblems(error?.issues ?? [], value, source, {
    noun,
    isOpen: () => false,
  });
  if (problems.length > 0) throw new Problems(sortProblems(problems));
  return { document: value as Document, source };
}
