/** Whether every `${…}`, service, edge and earlier step that a trial speaks of is there. */

import type { CheckRecord } from '../../checks/trial-record.ts';
import { findEdges } from '../../environment/wiring/edges.ts';
import { edgeName, hasEdge } from '../../kernel/edge-name.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { formatPath } from '../../system/source/document-path.ts';
import type { System } from '../../system/system.ts';
import { readEdges, whyUnread } from '../known-edges.ts';
import { type Placed, problemAt, type RawMap } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';

export interface Names {
  readonly system: System;
  /** Steps with a name that were done before, or, for checks, at all. */
  readonly steps: readonly string[];
  /** Steps that come later. */
  readonly later: readonly string[];
  /** Keys of the case; undefined where they cannot be known. */
  readonly caseKeys?: readonly string[] | undefined;
  readonly hasCases: boolean;
  /** Whether `${burst.index}` means something. */
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
      return [
        problemAt(where, 'value', [], {
          code: 'config.unknown-variable',
          what: `\`\${${reference}}\`: ${fault}`,
          allowed: 'names and dots',
          next: 'correct it; `$${` stands for a plain `${`',
        }),
      ];
    if (head.includes('->')) return unknownEdgeAddress(where, path, system);
    if (known.includes(head))
      return [...unknownCaseKey(where, path, names), ...unknownPart(where, path, names)];
    if (names.later.includes(head))
      return [
        problemAt(where, 'value', [], {
          code: 'trial.later-step',
          what: `\`\${${reference}}\` speaks of the step \`${head}\`, which is done later`,
          allowed:
            names.steps.length > 0
              ? `earlier steps: ${names.steps.join(', ')}`
              : 'nothing yet: this is the first step with a name',
          next: 'move the step up, or use a value that is there by now',
        }),
      ];
    return [
      problemAt(where, 'value', [], {
        code: 'config.unknown-variable',
        what: `\`\${${reference}}\` means nothing here`,
        allowed: known.join(', '),
        next: adviceOn(path, known),
      }),
    ];
  });
}

function adviceOn([head = '', key]: readonly string[], known: readonly string[]): string {
  if (head === 'with')
    return `a fragment gets its values where it is used: \`with: { ${key ?? 'name'}: … }\``;
  if (head === 'case') return 'the trial has no `cases`';
  if (head === 'burst') return 'only a step with `burst` has it';
  const guess = nearest(head, known);
  return guess
    ? `did you mean \`${guess}\`?`
    : `give a step the name \`as: ${head}\`, or correct the reference`;
}

/** Of the trial, of a request and of a service it is known beforehand what can be asked for. */
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
  return [
    problemAt(where, 'value', [], {
      code: 'config.unknown-variable',
      what: `\`\${${path.join('.')}}\`: ${service ? `the service ${head}` : `a ${head}`} has no \`${key ?? ''}\``,
      allowed: parts.map((part) => `${head}.${part}`).join(', '),
      next: guess ? `did you mean \`\${${head}.${guess}}\`?` : 'correct the reference',
    }),
  ];
}

const addressParts = ['url', 'host', 'port'];

/** An edge that has a tap has an address, which its consumer was given. */
function unknownEdgeAddress(where: Placed<unknown>, path: readonly string[], system: System): Problem[] {
  const [head = '', ...rest] = path;
  const edge = edgeName(head);
  const edges = findEdges(system);
  const those = edges.filter(({ from, to }) => `${from} -> ${to}` === edge);
  const [first = '', second] = rest;
  const isListener = second === undefined || those.some(({ listener }) => listener === first);
  if (those.length > 0 && isListener && addressParts.includes(second ?? first) && rest.length < 3) return [];
  const names = [...new Set(edges.map(({ from, to }) => `${from} -> ${to}`))];
  const guess = nearest(edge, names);
  const written = `\`\${${path.join('.')}}\``;
  const what =
    those.length > 0
      ? `${written}: an edge has no \`${rest.join('.')}\``
      : `${written}: there is no edge \`${edge}\``;
  return [
    problemAt(where, 'value', [], {
      code: 'config.unknown-variable',
      what,
      allowed:
        those.length > 0
          ? addressParts.map((part) => `${head}.${part}`).join(', ')
          : names.slice(0, 20).join(', '),
      next:
        those.length === 0 && guess
          ? `did you mean \`${guess}\`?`
          : 'an edge is there where a service refers to another: `${other.url}` in its env',
    }),
  ];
}

function unknownCaseKey(where: Placed<unknown>, path: readonly string[], names: Names): Problem[] {
  const [head, key] = path;
  const { caseKeys } = names;
  if (head !== 'case' || key === undefined || caseKeys === undefined || caseKeys.includes(key)) return [];
  const guess = nearest(key, caseKeys);
  return [
    problemAt(where, 'value', [], {
      code: 'config.unknown-variable',
      what: `\`\${case.${key}}\`: no case has a value \`${key}\``,
      allowed: caseKeys.join(', '),
      next: guess ? `did you mean \`\${case.${guess}}\`?` : 'add it to the cases',
    }),
  ];
}

/** The value inside of the part in which the reference stands. */
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

/** Services and edges named by a step or a check. */
export function targetProblems(placed: Placed<RawMap>, keys: readonly string[], system: System): Problem[] {
  const services = system.services.map(({ name }) => name);
  const resources = system.resources.map(({ name }) => name);
  // What speaks HTTP can be asked from outside, too: a provider is the first rung of a ladder.
  const spoken = system.resources.flatMap(({ kind, name }) => (kind === 'postgres' ? [] : [name]));
  return keys.flatMap((key) => {
    const written = placed.value[key];
    if (typeof written !== 'string' || written.includes('${')) return [];
    const name = serviceIn(key, written);
    if (name === undefined || (key === 'rows' && resources.includes(name))) return [];
    if (services.includes(name)) return listenerProblems(placed, key, written, system);
    if (key === 'http' && spoken.includes(name)) return [];
    const guess = nearest(name, services);
    return [
      problemAt(placed, 'value', [key], {
        code: 'config.unknown-name',
        what: `\`${formatPath([...placed.path, key])}\`: there is no service \`${name}\``,
        allowed: services.join(', ') || 'the config declares no service',
        next: guess ? `did you mean \`${guess}\`?` : 'declare it in the config, or correct the name',
      }),
    ];
  });
}

/** Whoever is driven must listen, at the port that is named. */
function listenerProblems(placed: Placed<RawMap>, key: string, written: string, system: System): Problem[] {
  const [, name, listener] =
    (key === 'http' ? /^[A-Z]+ ([a-z][a-z0-9-]*)(?:\.([a-z][a-z0-9-]*))?/ : /^([^.]+)(?:\.(.+))?$/).exec(
      written,
    ) ?? [];
  const known =
    system.services.find((service) => service.name === name)?.listen.map((port) => port.name) ?? [];
  if (!['http', 'tcp', 'mcp'].includes(key)) return [];
  if (listener === undefined ? known.length > 0 : known.includes(listener)) return [];
  const guess = listener === undefined ? undefined : nearest(listener, known);
  return [
    problemAt(placed, 'value', [key], {
      code: 'config.unknown-name',
      what:
        listener === undefined
          ? `the service \`${name}\` has no port that it listens on`
          : `the service \`${name}\` has no listener \`${listener}\``,
      allowed: known.join(', ') || 'a service with `listen` in the config',
      next: guess ? `did you mean \`${name}.${guess}\`?` : 'add `listen` to the service in the config',
    }),
  ];
}

function serviceIn(key: string, written: string): string | undefined {
  if (key === 'http') return /^[A-Z]+ ([a-z][a-z0-9-]*)/.exec(written)?.[1];
  if (key === 'files' && /^[./]/.test(written)) return undefined;
  const [name = ''] = written.split('.');
  if (key !== 'rows') return name;
  return name === '*' ? undefined : name.replace(/^!/, '');
}

export function edgeProblems(
  check: CheckRecord,
  placed: Placed<RawMap>,
  { edges, system }: KnownSystem,
): Problem[] {
  if (check.kind !== 'calls') return [];
  const { from, to } = check.query as { from: string; to: string };
  const read = readEdges(system);
  if (hasEdge(read, { from, to })) return [];
  if (hasEdge(edges, { from, to })) {
    return [
      problemAt(placed, 'value', ['calls'], {
        code: 'config.bad-value',
        what: whyUnread(`${from} -> ${to}`, system),
        allowed: read.slice(0, 20).join(', '),
        next: 'look at what it leaves: rows, files, logs; or, if it speaks HTTP, say `scheme: http` where it listens',
      }),
    ];
  }
  const guess = nearest(`${from} -> ${to}`, edges);
  return [
    problemAt(placed, 'value', ['calls'], {
      code: 'config.unknown-name',
      what: `there is no edge \`${from} -> ${to}\``,
      allowed: edges.slice(0, 20).join(', '),
      next: guess
        ? `did you mean \`${guess}\`?`
        : 'an edge is there where a service refers to another: `${other.url}` in its env',
    }),
  ];
}
