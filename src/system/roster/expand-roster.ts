/** Creates one service for every manifest in a roster. */
import { dirname, relative } from 'node:path';
import { Problem, problemsIn, refuse, whereText } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { name as nameSchema } from '../../kinds/kind/values.ts';
import { documentProblems } from '../check/document-problems.ts';
import { mapProgramTexts } from '../check/program-texts.ts';
import { type ServiceDocument, serviceDocument } from '../document/program-document.ts';
import type { RosterDocument } from '../document/system-document.ts';
import type { MemberFacts } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, valueAt } from '../source/document-path.ts';
import { fillIn, type Gap } from './fill-in.ts';
import { findManifests } from './find-manifests.ts';
import { type Manifest, readManifest } from './read-manifest.ts';

export interface RosterMember extends MemberFacts {
  readonly name: string;
  /** The position of the name, in case another service has the same. */
  readonly namedAt: SourcePosition;
  readonly document: ServiceDocument;
  readonly it: Manifest['it'];
  readonly text: string;
}

export async function expandRoster(
  roster: string,
  document: RosterDocument,
  source: ConfigSource,
): Promise<RosterMember[]> {
  const where = () => source.valuePosition(['rosters', roster, 'each']);
  const files = await findManifests(document.each, dirname(source.file), where);
  const members: RosterMember[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    try {
      const manifest = await readManifest(file, where);
      members.push(toMember(roster, document, manifest, source));
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  refuse(withoutRepeats(problems));
  return members;
}

/** A mistake in the config occurs with every manifest; it is reported once, for the first. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const byPlace = Map.groupBy(problems, ({ where }) => whereText(where));
  return [...byPlace.values()].map(([first, ...others]) => {
    const problem = first as Problem;
    const more = others.length === 1 ? 'one other manifest' : `${others.length} other manifests`;
    return others.length === 0 ? problem : new Problem({ ...problem, what: `${problem.what} and ${more}` });
  });
}

function toMember(
  roster: string,
  document: RosterDocument,
  manifest: Manifest,
  source: ConfigSource,
): RosterMember {
  const problems: Problem[] = [];
  const shortName = relative(dirname(source.file), manifest.file);
  const report = (gaps: readonly Gap[], path: DocumentPath, whole: string): void => {
    for (const gap of gaps) problems.push(gapProblem(gap, path, whole, shortName, source));
  };
  const path = ['rosters', roster, 'service'];
  const name = fillIn(document.name, manifest.it, false);
  report(name.gaps, ['rosters', roster, 'name'], document.name);
  const filled = mapProgramTexts(document.service, ({ text, role, path: inner }) => {
    const result = fillIn(text, manifest.it, role === 'start' || role === 'ready');
    report(result.gaps, [...path, ...inner], text);
    return result.text;
  });
  const service = withNumericPorts(filled);
  if (problems.length === 0) problems.push(...nameProblems(name.text, document, manifest, roster, source));
  if (problems.length === 0) problems.push(...shapeProblems(service, path, shortName, source));
  refuse(problems);
  const namedAt = nameInManifest(manifest, name.text);
  const { file, it, text } = manifest;
  return { roster, manifest: file, name: name.text, namedAt, document: service, it, text };
}

/** A port that comes out of a manifest is a text by then. */
function withNumericPorts(service: ServiceDocument): ServiceDocument {
  const numeric = (listener: unknown): unknown => {
    const port = valueAt(listener, ['port']);
    return typeof port === 'string' && /^\d+$/.test(port)
      ? { ...(listener as object), port: Number(port) }
      : listener;
  };
  if (service.listen === undefined) return service;
  const listen = Array.isArray(service.listen) ? service.listen.map(numeric) : numeric(service.listen);
  return { ...service, listen: listen as NonNullable<ServiceDocument['listen']> };
}

function shapeProblems(
  service: ServiceDocument,
  path: DocumentPath,
  shortName: string,
  source: ConfigSource,
): Problem[] {
  const { error } = serviceDocument.safeParse(service);
  const around = { rosters: { [String(path[1])]: { service } } };
  const issues = (error?.issues ?? []).map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  return documentProblems(issues, around, source).map(
    (problem) => new Problem({ ...problem, what: `${problem.what}, with ${shortName}` }),
  );
}

function nameProblems(
  name: string,
  document: RosterDocument,
  manifest: Manifest,
  roster: string,
  source: ConfigSource,
): Problem[] {
  const { error } = nameSchema.safeParse(name);
  if (!error) return [];
  return [
    new Problem({
      code: 'config.bad-value',
      where:
        manifest.text.includes(name) && name !== ''
          ? nameInManifest(manifest, name)
          : source.valuePosition(['rosters', roster, 'name']),
      what: `${JSON.stringify(name)} cannot be the name of a service; the roster \`${roster}\` takes it from \`${document.name}\``,
      allowed: error.issues[0]?.message ?? 'a name',
      next: `change it in ${relative(dirname(source.file), manifest.file)}, or take the name from another key`,
    }),
  ];
}

function gapProblem(
  gap: Gap,
  path: DocumentPath,
  whole: string,
  manifest: string,
  source: ConfigSource,
): Problem {
  const written = whole.slice(gap.reference.offset, gap.reference.offset + gap.reference.length);
  return new Problem({
    code: 'config.unknown-variable',
    where: source.partPosition(path, [written, gap.reference.reference], 0),
    what: `\`${written}\`: ${gap.what} in ${manifest}`,
    allowed: gap.allowed,
    next: gap.next,
  });
}

/** Values of a manifest carry no position, so this is the first place where a person would see the name: after a key, or at all. */
export function nameInManifest({ file, text }: Manifest, name: string): SourcePosition {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const places = [`[:=]\\s*["']?(${literal})(?![\\w-])`, `(?<![\\w-])(${literal})(?![\\w-])`];
  const match = places.map((place) => new RegExp(place, 'd').exec(text)).find((found) => found !== null);
  const [start, end] = match?.indices?.[1] ?? [0, 1];
  return positionAt(file, text, start, end - start);
}
