/** Requirements whose source is not there any more: a file that is gone, or a section that has another name. */
import path from 'node:path';
import type { RequirementFinding } from './finding.ts';
import type { Requirement } from './requirement.ts';
import { readSource, sectionText } from './source-section.ts';
import { nameOf, placeOf } from './static-findings.ts';

export async function sourceFindings(
  requirements: readonly Requirement[],
  folder: string,
): Promise<readonly RequirementFinding[]> {
  const texts = new Map<string, string | undefined>();
  const findings: RequirementFinding[] = [];
  for (const requirement of requirements) {
    const { source } = requirement;
    if (!source) continue;
    if (!texts.has(source.file)) texts.set(source.file, await readSource(path.resolve(folder, source.file)));
    const fault = faultOf(requirement, texts.get(source.file));
    if (fault !== undefined)
      findings.push({
        kind: 'lost-source',
        ...placeOf(requirement),
        text: `${nameOf(requirement)} was taken from ${source.file}, ${fault}`,
        next: 'correct `source`, and look whether the requirement still stands there',
      });
  }
  return findings;
}

function faultOf({ id, source }: Requirement, text: string | undefined): string | undefined {
  if (text === undefined) return 'and there is no such file';
  return sectionText(text, source?.section, id) === undefined
    ? `which has no section “${source?.section}”`
    : undefined;
}
