/** Reads a YAML file of requirements, strictly, with the place of every entry. */
import path from 'node:path';
import { Problems } from '../kernel/problem.ts';
import { documentProblems } from '../system/check/document-problems.ts';
import { sortProblems } from '../system/check/sort-problems.ts';
import type { ConfigSource } from '../system/source/config-source.ts';
import type { DocumentPath } from '../system/source/document-path.ts';
import { parseYamlDocument } from '../system/source/yaml-document.ts';
import { normalPriority } from './priority.ts';
import type { PlacedRequirement, SourceLink } from './requirement.ts';
import {
  type RequirementEntry,
  type RequirementsDocument,
  requirementsDocument,
} from './requirement-document.ts';

/** `folder` is that of the config; `file` is absolute. */
export function readYamlRequirements(file: string, text: string, folder: string): PlacedRequirement[] {
  const { value, source } = parseYamlDocument(file, text, 'requirement.syntax');
  const { error } = requirementsDocument.safeParse(value);
  const problems = documentProblems(error?.issues ?? [], value, source, {
    noun: 'file of requirements',
    isOpen: () => false,
  });
  if (problems.length > 0) throw new Problems(sortProblems(problems));
  const document = value as RequirementsDocument;
  const [entries, base]: [readonly RequirementEntry[], DocumentPath] = Array.isArray(document)
    ? [document, []]
    : [document.requirements, ['requirements']];
  return entries.map((entry, index) => placed(entry, [...base, index], source, folder));
}

function placed(
  entry: RequirementEntry,
  at: DocumentPath,
  source: ConfigSource,
  folder: string,
): PlacedRequirement {
  const { id, text, title, priority, failPath, deferred, dependsOn, method, antiPattern } = entry;
  const level = priority === undefined ? undefined : normalPriority(priority);
  return {
    requirement: {
      id,
      ...(title === undefined ? {} : { title }),
      text: text.trim(),
      ...(level === undefined ? {} : { priority: level }),
      failPath: failPath ?? false,
      ...(entry.source === undefined
        ? {}
        : { source: sourceLink(entry.source, path.dirname(source.file), folder) }),
      ...(deferred === undefined ? {} : { deferred: deferralOf(deferred) }),
      dependsOn: dependsOn ?? [],
      ...(method === undefined ? {} : { method }),
      ...(antiPattern === undefined ? {} : { antiPattern }),
      file: path.relative(folder, source.file),
      line: source.keyLine([...at, 'id']),
    },
    whereIs: (part) =>
      source.valuePosition(part === 'id' ? [...at, 'id'] : [...at, 'dependsOn', part.dependsOn]),
  };
}

function deferralOf({ reason, until }: NonNullable<RequirementEntry['deferred']>): {
  reason: string;
  until?: string;
} {
  return { reason, ...(until === undefined ? {} : { until }) };
}

/** `spec.md#section`, `spec.md:Heading`, or a file alone; relative to the file in which it is written. */
export function sourceLink(written: string, from: string, folder: string): SourceLink {
  const [, file = written, section] = /^([^#]*?\.[\w-]+)(?:#|:\s*)(.+)$/s.exec(written) ?? [];
  return {
    file: path.relative(folder, path.resolve(from, file.trim())),
    ...(section === undefined ? {} : { section: section.trim() }),
  };
}
