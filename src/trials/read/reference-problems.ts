/** Checks that every `${…}`, service, edge and earlier step that a trial refers to exists. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { findEdges } from '../../environment/wiring/edges.ts';
import { edgeName, edgeOf, looksAtEdge } from '../../kernel/edge-name.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { didYouMean, nearest, unknownName } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { Target } from '../../kinds/kind/step-kind.ts';
import { type ResourceKindName, resourceKind } from '../../kinds/resource-kinds.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { attachedNames } from '../../system/attached/attached-services.ts';
import { formatPath } from '../../system/source/document-path.ts';
import type { ResourceSpec, ServiceSpec, System } from '../../system/system.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import { isReadEdge, readEdges, whyUnread } from '../known-edges.ts';
import { unreachableProblems } from './attached-problems.ts';
import { type Placed, problemsAt, type RawMap } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';

export interface Names {
  readonly system: System;
  /** Named steps that are done before, or, for checks, all of them. */
  readonly steps: readonly string[];
  /** Steps that come later. */
  readonly later: readonly string[];
  /** Keys of the case; undefined where they cannot be known. */
  readonly caseKeys?: readonly string[] | undefined;
  readonly hasCases: boolean;
  /** Whether `${burst.index}` is available. */
  readonly hasBurst?: boolean;
  /** In a line of a script: what `${request.…}` may begin with. */
  readonly request?: readonly string[];
}

const builtIn = ['trial', 'env', 'run', 'environment', 'config', 'matrix'];

export function referenceProblems(placed: Placed<unknown>, names: Names): Problem[] {
  const { system } = names;
  const parts = [
    ...system.services.map(({ name }) => name),
    ...system.resources.map(({ name }) => name),
    ...Object.keys(system.rosters),
  ];
  const known = [
    ...builtIn,
    ...(names.hasCases ? ['case'] : []),
    ...(names.hasBurst ? ['burst'] : []),
    ...(names.request ? ['request'] : []),
    ...parts,
    ...names.steps,
  ];
  return referencesIn(placed.value).flatMap(({ path, reference, fault }) => {
    const [head = ''] = path;
    const where = findText(placed, reference);
    if (fault !== undefined)
      return problemsAt(where, 'value', [], {
        code: 'config.unknown-variable',
        what: `\`\${${reference}}\`: ${fault}`,
        allowed: 'names and dots',
        next: 'correct it; write `$${` for a plain `${`',
      });
    if (head.includes('->')) return unknownEdgeAddress(where, path, system);
    if (known.includes(head))
      return [...unknownCaseKey(where, path, names), ...unknownPart(where, path, names)];
    if (names.later.includes(head))
      return problemsAt(where, 'value', [], {
        code: 'trial.later-step',
        what: `\`\${${reference}}\` refers to the step \`${head}\`, which is done later`,
        allowed:
          names.steps.length > 0
            ? `earlier steps: ${names.steps.join(', ')}`
            : 'nothing yet: this is the first step with a name',
        next: 'move the step up, or use a value that is available here',
      });
    return problemsAt(where, 'value', [], {
      code: 'config.unknown-variable',
      what: `\`\${${reference}}\` is not defined here`,
      allowed: known.join(', '),
      next: adviceOn(path, known),
    });
  });
}

function adviceOn([head = '', key]: readonly string[], known: readonly string[]): string {
  if (head === 'with')
    return `a fragment gets its values where it is used: \`with: { ${key ?? 'name'}: … }\``;
  if (head === 'case') return 'the trial has no `cases`';
  if (head === 'burst') return 'only a step with `burst` has it';
  return didYouMean(head, known, `give a step the name \`as: ${head}\`, or correct the reference`);
}

/** The properties of the trial, of a request and of a service are known beforehand. */
function unknownPart(where: Placed<unknown>, path: readonly string[], { system, request }: Names): Problem[] {
  const [head = '', key] = path;
  const service = system.services.find(({ name }) => name === head);
  const parts =
    head === 'trial'
      ? ['id', 'uid', 'seed', 'attempt']
      : head === 'request' && request
        ? request
        : service && ['url', 'host', 'port', ...service.listen.map(({ name }) => name)];
  if (!parts || (key !== undefined && parts.includes(key))) return [];
  const guess = key === undefined ? undefined : nearest(key, parts);
  return problemsAt(where, 'value', [], {
    code: 'config.unknown-variable',
    what: `\`\${${path.join('.')}}\`: ${service ? `the service ${head}` : `a ${head}`} has no \`${key ?? ''}\``,
    allowed: parts.map((part) => `${head}.${part}`).join(', '),
    next: guess ? `did you mean \`\${${head}.${guess}}\`?` : 'correct the reference',
  });
}

const addressParts = ['url', 'host', 'port'];

/** An edge with a tap has an address, which its consumer received. */
function unknownEdgeAddress(where: Placed<unknown>, path: readonly string[], system: System): Problem[] {
  const [head = '', ...rest] = path;
  const edge = edgeName(head);
  const edges = findEdges(system);
  const those = edges.filter((one) => edgeOf(one) === edge);
  const [first = '', second] = rest;
  const isListener = second === undefined || those.some(({ listener }) => listener === first);
  if (those.length > 0 && isListener && addressParts.includes(second ?? first) && rest.length < 3) return [];
  const names = [...new Set(edges.map(edgeOf))];
  const isThere = those.length > 0;
  const allowed = isThere ? addressParts.map((part) => `${head}.${part}`) : names.slice(0, 20);
  return problemsAt(where, 'value', [], {
    code: 'config.unknown-variable',
    what: `\`\${${path.join('.')}}\`: ${isThere ? `an edge has no \`${rest.join('.')}\`` : `there is no edge \`${edge}\``}`,
    allowed: allowed.join(', '),
    next: isThere ? whereEdgesAre : didYouMean(edge, names, whereEdgesAre),
  });
}

function unknownCaseKey(where: Placed<unknown>, path: readonly string[], names: Names): Problem[] {
  const [head, key] = path;
  const { caseKeys } = names;
  if (head !== 'case' || key === undefined || caseKeys === undefined || caseKeys.includes(key)) return [];
  const guess = nearest(key, caseKeys);
  return problemsAt(where, 'value', [], {
    code: 'config.unknown-variable',
    what: `\`\${case.${key}}\`: no case has a value \`${key}\``,
    allowed: caseKeys.join(', '),
    next: guess ? `did you mean \`\${case.${guess}}\`?` : 'add it to the cases',
  });
}

/** The value, within the part, that holds the reference. */
function findText(placed: Placed<unknown>, reference: string): Placed<unknown> {
  const search = (
    value: unknown,
    path: readonly (string | number)[],
  ): readonly (string | number)[] | undefined => {
    if (typeof value === 'string') return value.includes(`\${${reference}`) ? path : undefined;
    if (!isContainer(value)) return undefined;
    for (const [key, inner] of Object.entries(value)) {
      const found = search(inner, [...path, Array.isArray(value) ? Number(key) : key]);
      if (found) return found;
    }
    return undefined;
  };
  return { ...placed, path: [...placed.path, ...(search(placed.value, []) ?? [])] };
}

interface Reaching {
  readonly target?: (written: string) => Target | undefined;
  readonly needsListener?: true;
  readonly reachesResources?: true;
  readonly readsResources?: readonly ResourceKindName[];
  readonly readsNoService?: true;
}

/** The service that a step or a check names. */
export function targetProblems(
  placed: Placed<RawMap>,
  key: string,
  kind: Reaching | undefined,
  system: System,
): Problem[] {
  const written = placed.value[key];
  if (!kind?.target || typeof written !== 'string' || written.includes('${')) return [];
  const target = kind.target(written);
  if (!target) return [];
  const read = system.resources.filter((one) => kind.readsResources?.includes(one.kind));
  if (read.some(({ name }) => name === target.name)) return [];
  const services = [...system.services, ...read].map(({ name }) => name);
  if (!kind.needsListener && attachedNames(system).includes(target.name))
    return unreachableProblems(placed, key, target.name, checkKind(key) === undefined);
  const service = system.services.find(({ name }) => name === target.name);
  if (kind.readsNoService && service && (read.length === 0 || isDatabase(service)))
    return noPlace(placed, key, service.name, read);
  if (services.includes(target.name))
    return kind.needsListener ? listenerProblems(placed, key, target, system) : [];
  // A resource that speaks HTTP can be called from outside, too: a provider is the first rung of a ladder.
  const reachable = system.resources.some(
    (one) => one.name === target.name && resourceKind(one).scheme === 'http',
  );
  if (kind.reachesResources && reachable) return [];
  return problemsAt(placed, 'value', [key], {
    what: `\`${formatPath([...placed.path, key])}\`: there is no service \`${target.name}\``,
    ...unknownName(
      target.name,
      services,
      'declare it in the config, or correct the name',
      'the config declares no service',
    ),
  });
}

function isDatabase({ listen }: ServiceSpec): boolean {
  return listen.some(({ scheme }) => scheme === 'postgres');
}

/** Its rows are seen only where the database is a resource. */
function noPlace(
  placed: Placed<RawMap>,
  key: string,
  name: string,
  read: readonly ResourceSpec[],
): Problem[] {
  return problemsAt(placed, 'value', [key], {
    code: 'config.bad-value',
    what: `\`${formatPath([...placed.path, key])}\`: the service \`${name}\` has no place in a database that rows are read in`,
    allowed:
      read.length > 0
        ? `a resource (${read.map((one) => one.name).join(', ')}), or a service that uses one`
        : 'a resource of the kind postgres or sqlite, or a service that uses one',
    next: `make it a resource: \`replace: { ${name}: postgres }\` where a compose file declares it, \`resources: { ${name}: { kind: postgres } }\` otherwise`,
  });
}

/** A command inside of a service needs one that is a container. */
export function insideProblems(placed: Placed<RawMap>, { services }: System): Problem[] {
  const { in: inside } = placed.value;
  if (placed.value.command === undefined || typeof inside !== 'string' || inside.includes('${')) return [];
  const boxed = services.filter(({ container }) => container !== undefined).map(({ name }) => name);
  if (boxed.includes(inside)) return [];
  const isThere = services.some(({ name }) => name === inside);
  return problemsAt(placed, 'value', ['in'], {
    what: isThere
      ? `the service \`${inside}\` is ${attachedNames({ services }).includes(inside) ? "somebody else's (`at`)" : 'no container'}, and a command can run inside of a container only`
      : `\`${formatPath([...placed.path, 'in'])}\`: there is no service \`${inside}\``,
    ...unknownName(
      inside,
      boxed,
      'name a service with `image` or `build`, or leave `in` out',
      'leave `in` out: the config has no service with `image` or `build`',
    ),
  });
}

/** A step needs a port to connect to. */
function listenerProblems(
  placed: Placed<RawMap>,
  key: string,
  { name, listener }: Target,
  system: System,
): Problem[] {
  const known =
    system.services.find((service) => service.name === name)?.listen.map((port) => port.name) ?? [];
  if (listener === undefined ? known.length > 0 : known.includes(listener)) return [];
  const guess = listener === undefined ? undefined : nearest(listener, known);
  return problemsAt(placed, 'value', [key], {
    code: 'config.unknown-name',
    what:
      listener === undefined
        ? `the service \`${name}\` has no port that it listens on`
        : `the service \`${name}\` has no listener \`${listener}\``,
    allowed: known.join(', ') || 'a service with `listen` in the config',
    next: guess ? `did you mean \`${name}.${guess}\`?` : 'add `listen` to the service in the config',
  });
}

export function edgeProblems(
  check: CheckRecord,
  placed: Placed<RawMap>,
  { edges, system }: KnownSystem,
): Problem[] {
  const edge = checkKind(check.kind)?.edge?.(check.query);
  if (!edge || isReadEdge(edge, system)) return [];
  const name = `${edge.from} -> ${edge.to}`;
  if (looksAtEdge(edges, edge)) {
    return problemsAt(placed, 'value', [check.kind], {
      code: 'config.bad-value',
      what: whyUnread(name, system),
      allowed: readEdges(system).slice(0, 20).join(', '),
      next: 'check its effects: rows, files, logs; or, if it speaks HTTP or is a store, write `scheme: http`, `postgres` or `redis` where it listens',
    });
  }
  return problemsAt(placed, 'value', [check.kind], {
    code: 'config.unknown-name',
    what: `there is no edge \`${name}\``,
    allowed: edges.slice(0, 20).join(', '),
    next: didYouMean(name, edges, whereEdgesAre),
  });
}

const whereEdgesAre = 'an edge is there where a service refers to another: `${other.url}` in its env';

/** Expected error lines must name a known service. */
export function speakerProblems(
  placed: Placed<unknown>,
  { logs }: Pick<TrialDocument, 'logs'>,
  { services, rosters }: System,
): Problem[] {
  const known = [...services.map(({ name }) => name), ...Object.keys(rosters)];
  if (!Array.isArray(logs?.allow)) return [];
  return logs.allow.flatMap(({ service }, index) => {
    if (typeof service !== 'string' || known.includes(service)) return [];
    return problemsAt(placed, 'value', ['logs', 'allow', index, 'service'], {
      what: `no service is called \`${service}\``,
      ...unknownName(service, known, 'name a service or a roster', 'the config declares no service'),
    });
  });
}
