/** Checks a readiness condition against the service that it belongs to: its listeners, its patterns. */
import { unknownName } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { isContainer } from '../build/build-container.ts';
import { listenersAt } from '../build/build-listen.ts';
import type { ReadyDocument } from '../document/ready-document.ts';
import { type ReadyProbe, readyProbes } from '../document/ready-probes.ts';
import type { ServiceDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { DocumentPath } from '../source/document-path.ts';
import { patternProblems } from './pattern-problems.ts';

export function readyProblems(service: ServiceDraft, source: ConfigSource): Problem[] {
  const { ready } = service.document;
  if (ready === undefined) return [];
  const names = listenersAt(service.document).map(({ name }) => name);
  return inspect(ready, [...service.path, 'ready'], names, service, source);
}

function inspect(
  ready: ReadyDocument,
  path: DocumentPath,
  names: readonly string[],
  owner: ServiceDraft,
  source: ConfigSource,
): Problem[] {
  const service = owner.name;
  const isBoxed = isContainer(owner.document);
  const inner = (['allOf', 'anyOf'] as const).flatMap((key) =>
    (ready[key] ?? []).flatMap((condition, index) =>
      inspect(condition, [...path, key, index], names, owner, source),
    ),
  );
  const patterns: [DocumentPath, unknown][] = [
    [['status'], ready.status],
    [['json'], ready.json],
    [['body'], ready.body],
    [['handshake', 'expect'], ready.handshake?.expect],
  ];
  const given = patterns.filter(([, pattern]) => pattern !== undefined);
  return [
    ...inner,
    ...(ready.health && !isBoxed ? [healthOfProcess(service, path, source)] : []),
    ...listenerProblems(ready, path, names, service, source),
    ...given.flatMap(([key, pattern]) => patternProblems(pattern, [...path, ...key], source)),
  ];
}

function healthOfProcess(service: string, path: DocumentPath, source: ConfigSource): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: source.keyPosition([...path, 'health']),
    what: `\`health\` asks the healthcheck of a container, and \`${service}\` is a process`,
    allowed: 'http, tcp, handshake, command or log, for a process',
    next: "write `http: '/health'`, or a `command` that ends with 0",
  });
}

function listenerProblems(
  ready: ReadyDocument,
  path: DocumentPath,
  names: readonly string[],
  service: string,
  source: ConfigSource,
): Problem[] {
  const [probe] =
    Object.entries<ReadyProbe>(readyProbes).find(
      ([key, { needsListener }]) => needsListener && ready[key as keyof ReadyDocument] !== undefined,
    ) ?? [];
  if (probe === undefined) return [];
  if (names.length === 0) return [withoutListener(service, [...path, probe], source)];
  const [key, wanted] = typeof ready.tcp === 'string' ? ['tcp', ready.tcp] : ['listener', ready.listener];
  if (wanted === undefined || names.includes(wanted)) return [];
  return [
    new Problem({
      where: source.valuePosition([...path, key]),
      what: `\`${service}\` has no listener \`${wanted}\``,
      ...unknownName(wanted, names, 'name one of its listeners'),
    }),
  ];
}

function withoutListener(service: string, path: DocumentPath, source: ConfigSource): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: source.keyPosition(path),
    what: `\`${String(path.at(-1))}\` needs a port, and \`${service}\` has no \`listen\``,
    allowed: 'log or command, for a service that does not listen',
    next: "add `listen: { env: 'PORT' }`",
  });
}
