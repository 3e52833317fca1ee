/** Refuses listeners of a service that contradict each other, its environment, or another service. */
import { Problem } from '../../kernel/problem.ts';
import { isContainer } from '../build/build-container.ts';
import { listenersOf } from '../build/build-listen.ts';
import type { ServiceDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { DocumentPath } from '../source/document-path.ts';

export function listenProblems(services: readonly ServiceDraft[], source: ConfigSource): Problem[] {
  return [...services.flatMap((service) => ownProblems(service, source)), ...sharedPorts(services, source)];
}

function ownProblems(service: ServiceDraft, source: ConfigSource): Problem[] {
  const names = new Set<string>();
  const variables = new Set<string>();
  return listenersOf(service.document.listen).flatMap((listener, index) => {
    const path = listenerPath(service, index);
    const name = listener.name ?? (index === 0 ? 'main' : undefined);
    const problems: Problem[] = [];
    if (name === undefined) problems.push(nameless(path, source));
    else if (names.has(name)) problems.push(sameName(name, [...path, 'name'], source));
    names.add(name ?? '');
    if (listener.hostHeader === 'own' && (listener.scheme ?? 'http') !== 'http')
      problems.push(
        contradiction(
          [...path, 'hostHeader'],
          `a listener that speaks ${listener.scheme} gets no \`Host\` of ours`,
          'hostHeader where the scheme is http',
          'remove it, or the scheme',
          source,
        ),
      );
    if (listener.env !== undefined)
      problems.push(...variableProblems(service, listener.env, variables, path, source));
    return problems;
  });
}

function variableProblems(
  service: ServiceDraft,
  variable: string,
  seen: Set<string>,
  path: DocumentPath,
  source: ConfigSource,
): Problem[] {
  const problems: Problem[] = [];
  if (seen.has(variable)) {
    problems.push(
      contradiction(
        [...path, 'env'],
        `two listeners set their port in ${variable}`,
        'one variable per listener',
        'use another variable',
        source,
      ),
    );
  }
  seen.add(variable);
  if (Object.hasOwn(service.document.env ?? {}, variable)) {
    const where = [...service.path, 'env', variable];
    problems.push(
      contradiction(
        where,
        `\`listen\` puts the port into ${variable}, and \`env\` sets it too`,
        'one source for a variable',
        'remove it from `env`',
        source,
      ),
    );
  }
  return problems;
}

function sharedPorts(services: readonly ServiceDraft[], source: ConfigSource): Problem[] {
  const owners = new Map<number, string>();
  // Each container has all ports for itself.
  const processes = services.filter(({ document }) => !isContainer(document));
  return processes.flatMap((service) =>
    listenersOf(service.document.listen).flatMap(({ port }, index) => {
      if (port === undefined) return [];
      const owner = owners.get(port);
      owners.set(port, service.name);
      if (owner === undefined) return [];
      const path = [...listenerPath(service, index), 'port'];
      return [
        contradiction(
          path,
          `\`${owner}\` and \`${service.name}\` both listen on ${port}`,
          'a port of its own for each listener',
          "let us choose: `listen: { env: 'PORT' }`",
          source,
        ),
      ];
    }),
  );
}

function listenerPath(service: ServiceDraft, index: number): DocumentPath {
  const base = [...service.path, 'listen'];
  return Array.isArray(service.document.listen) ? [...base, index] : base;
}

function nameless(path: DocumentPath, source: ConfigSource): Problem {
  return new Problem({
    code: 'config.missing-key',
    where: source.valuePosition(path),
    what: 'only the first listener of a service may be without a `name`',
    allowed: '`name`: a name, for `${service.NAME.url}`',
    next: 'add `name: admin`, for instance',
  });
}

function sameName(name: string, path: DocumentPath, source: ConfigSource): Problem {
  return new Problem({
    code: 'config.duplicate-name',
    where: source.valuePosition(path),
    what: `two listeners of the service are called \`${name}\``,
    allowed: 'a name of its own for each listener; the first is `main` when it has none',
    next: 'rename one of the two',
  });
}

function contradiction(
  path: DocumentPath,
  what: string,
  allowed: string,
  next: string,
  source: ConfigSource,
): Problem {
  return new Problem({ code: 'config.bad-value', where: source.valuePosition(path), what, allowed, next });
}
