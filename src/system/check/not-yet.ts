/** Refuses features that the schema has and this version does not support, each with an alternative. */
import { isMap } from '../../kernel/is-map.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, formatPath, valueAt } from '../source/document-path.ts';

const laterKinds: Readonly<Record<string, string>> = {
  objects: 'run an object store of yours as a service, and give its `${name.url}` to the others',
};
const laterKeys = ['compose'] as const;

export interface LaterParts {
  readonly problems: readonly Problem[];
  /** The document without those parts, so that nothing else is reported about them. */
  readonly rest: unknown;
}

export function setAsideLaterParts(document: unknown, source: ConfigSource): LaterParts {
  const rest = structuredClone(document);
  const problems: Problem[] = [];
  for (const [name, resource] of entriesOf(valueAt(rest, ['resources']))) {
    const path = ['resources', name];
    const { kind } = resource;
    if (typeof kind === 'string' && Object.hasOwn(laterKinds, kind)) {
      problems.push(laterKind(kind, source.valuePosition([...path, 'kind']), path));
      delete (valueAt(rest, ['resources']) as Record<string, unknown>)[name];
    } else
      problems.push(
        ...removeLaterKeys(
          resource,
          path,
          'leave it out for the embedded server, or give an `image` or the `url` of yours',
          source,
        ),
      );
  }
  for (const [path, service] of servicesOf(rest)) {
    const found = removeLaterKeys(
      service,
      path,
      "start the program itself: `run: ['…']`, or its `image`",
      source,
    );
    problems.push(...found);
    if (found.length > 0) service.run ??= 'set aside';
  }
  return { problems, rest };
}

function servicesOf(document: unknown): [DocumentPath, Record<string, unknown>][] {
  const declared = entriesOf(valueAt(document, ['services'])).map(([name, service]) => [
    ['services', name],
    service,
  ]);
  const rostered = entriesOf(valueAt(document, ['rosters'])).flatMap(([name]) => {
    const path = ['rosters', name, 'service'];
    const service = valueAt(document, path);
    return isMap(service) ? [[path, service]] : [];
  });
  return [...declared, ...rostered] as [DocumentPath, Record<string, unknown>][];
}

function removeLaterKeys(
  part: Record<string, unknown>,
  path: DocumentPath,
  next: string,
  source: ConfigSource,
): Problem[] {
  const given = laterKeys.filter((key) => Object.hasOwn(part, key));
  return given.map((key) => {
    delete part[key];
    return new Problem({
      code: 'config.not-yet',
      where: source.keyPosition([...path, key]),
      what: `\`${formatPath([...path, key])}\`: compose files are read as a whole, beside \`services\`: \`compose: FILE\`, and \`replace\``,
      allowed:
        path[0] === 'resources' ? 'the embedded server, `image` or `url`' : '`run`, `image` or `build`',
      next,
    });
  });
}

function laterKind(kind: string, where: SourcePosition, path: DocumentPath): Problem {
  return new Problem({
    code: 'config.not-yet',
    where,
    what: `\`${formatPath(path)}\` has the kind \`${kind}\`, which comes in a later version`,
    allowed: 'postgres, redis, sqlite, model, http, telemetry',
    next: laterKinds[kind] as string,
  });
}

function entriesOf(value: unknown): [string, Record<string, unknown>][] {
  if (!isMap(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Record<string, unknown>] => isMap(entry[1]));
}
