/** Refuses programs that are neither or both, process and container, and containers that reach out without a reason. */
import path from 'node:path';
import { unknownName } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { buildContainer, isContainer } from '../build/build-container.ts';
import { containerOnlyKeys, processKeys } from '../document/program-document.ts';
import { missingAllowances } from '../needed-allowances.ts';
import type { ComposeFacts, ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { DocumentPath } from '../source/document-path.ts';
import { strayWrites } from '../stray-writes.ts';
import { allNames, type KnownNames } from './known-names.ts';
import type { ReferenceCheck } from './reference-problems.ts';

export function containerProblems(draft: ProgramDraft, check: ReferenceCheck): Problem[] {
  const { known, hostEnv, source } = check;
  const { run } = draft.document;
  if (draft.kind === 'service' && draft.document.at !== undefined) return [];
  if (draft.compose) return composeAllowances(draft.name, draft.compose, hostEnv);
  const isBoxed = isContainer(draft.document);
  if (run === undefined)
    return [
      ...strayKeys(draft, processKeys, '`run`, which starts a process', source),
      ...peerProblems(draft, known, source),
      ...volumeProblems(draft, known, source),
      ...allowanceProblems(draft, check),
    ];
  return isBoxed
    ? [bothWays(draft, source)]
    : strayKeys(draft, containerOnlyKeys, '`image` or `build`, which make a container', source);
}

function bothWays({ path, document }: ProgramDraft, source: ConfigSource): Problem {
  const key = document.image === undefined ? 'build' : 'image';
  return new Problem({
    code: 'config.bad-value',
    where: source.keyPosition([...path, key]),
    what: `it has both \`run\` and \`${key}\``,
    allowed: 'a process (`run`) or a container (`image`, `build`)',
    next: 'remove one; the words for a container are its `command`',
  });
}

function strayKeys(
  { path, document }: ProgramDraft,
  keys: readonly string[],
  owner: string,
  source: ConfigSource,
): Problem[] {
  return Object.keys(document)
    .filter((key) => keys.includes(key) && document[key as keyof typeof document] !== undefined)
    .map(
      (key) =>
        new Problem({
          code: 'config.bad-value',
          where: source.keyPosition([...path, key]),
          what: `\`${key}\` has no meaning here: it belongs to ${owner}`,
          allowed: `\`${key}\` beside ${owner}`,
          next: `remove \`${key}\``,
        }),
    );
}

function peerProblems(draft: ProgramDraft, known: KnownNames, source: ConfigSource): Problem[] {
  const addressed = [...known.resources].flatMap(([name, kind]) =>
    resourceKind({ kind }).isFile ? [] : [name],
  );
  const names = [...known.services.keys(), ...addressed].filter((name) => name !== draft.name);
  return Object.entries(draft.document.peers ?? {}).flatMap(([address, meant]) => {
    const [name = '', listener] = meant.split('.');
    const where = source.valuePosition([...draft.path, 'peers', address]);
    if (!names.includes(name))
      return new Problem({
        where,
        what: `no service and no resource with an address is called \`${name}\``,
        ...unknownName(
          name,
          names,
          'name a service or a resource',
          `declared are: ${allNames(known).join(', ')}`,
        ),
      });
    const listeners = known.services.get(name)?.map((one) => one.name) ?? ['main'];
    if (listeners.length > 0 && (listener === undefined || listeners.includes(listener))) return [];
    return new Problem({
      where,
      what: `\`${name}\` has no listener${listener === undefined ? '' : ` \`${listener}\``}`,
      ...unknownName(listener ?? '', listeners, 'name one of its listeners', 'give it a `listen`'),
    });
  });
}

/** Where the config declares volumes, another name is a slip: it would be a volume that nobody else sees. */
function volumeProblems(draft: ProgramDraft, known: KnownNames, source: ConfigSource): Problem[] {
  const names = [...known.resources].flatMap(([name, kind]) => (kind === 'volume' ? [name] : []));
  if (names.length === 0) return [];
  return (draft.document.mounts ?? []).flatMap((mount, index) => {
    if (!('volume' in mount) || names.includes(mount.volume)) return [];
    return new Problem({
      where: source.valuePosition([...draft.path, 'mounts', index, 'volume']),
      what: `no volume is called \`${mount.volume}\``,
      ...unknownName(mount.volume, names, 'add it to `volumes`, or correct the name', ''),
    });
  });
}

/** The whole address of each problem is that of the key that asks for it. */
function allowanceProblems(draft: ProgramDraft, { known, hostEnv, source }: ReferenceCheck): Problem[] {
  const listeners = (name: string) => known.services.get(name)?.map((one) => one.name);
  const folder = path.dirname(path.resolve(source.file));
  const container = buildContainer(draft, listeners, folder, source);
  const missing = missingAllowances(container, hostEnv).map(({ allowance, what }) => {
    const key = placeOf(allowance);
    return new Problem({
      code: 'config.bad-value',
      where: source.keyPosition([...draft.path, ...key]),
      what: `the container of \`${draft.name}\` ${what}`,
      allowed: `such a container with a reason: \`allow: { ${allowance}: why it must }\``,
      next: `leave it out, or add \`allow: { ${allowance}: '…' }\` beside it`,
    });
  });
  return [...missing, ...strayWrites(container, folder, source.keyPosition([...draft.path, 'mounts']))];
}

/** In a compose file nothing can be allowed: that is for the config to say. */
function composeAllowances(
  name: string,
  { container, at }: ComposeFacts,
  hostEnv: ReferenceCheck['hostEnv'],
): Problem[] {
  return missingAllowances(container, hostEnv).map(
    ({ allowance, what }) =>
      new Problem({
        code: 'config.bad-value',
        where: at,
        what: `the container of \`${name}\` ${what}`,
        allowed: `such a container with a reason in the config: \`allow: { ${allowance}: why it must }\``,
        next: `add to the config: \`compose: { files: …, services: { ${name}: { allow: { ${allowance}: '…' } } } }\``,
      }),
  );
}

function placeOf(allowance: string): DocumentPath {
  if (allowance === 'privileged' || allowance === 'capabilities') return [allowance];
  return allowance === 'socket' || allowance === 'writes' ? ['mounts'] : ['host'];
}
