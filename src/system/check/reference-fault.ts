/** Decides whether one `${…}` reference can be resolved where it is used. */
import { nearest } from '../../kernel/nearest.ts';
import { hostVariable, type ReferencePart } from '../../kernel/references.ts';
import { resourceKind, resourceKinds } from '../../kinds/resource-kinds.ts';
import type { ListenSpec } from '../system.ts';
import { allNames, type KnownNames } from './known-names.ts';
import type { TextRole } from './program-texts.ts';

/** Where the reference is used, and the names in scope. */
export interface ReferenceScope {
  readonly known: KnownNames;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** The program that uses it; absent for a resource, which can use only the user's variables. */
  readonly user?: { readonly kind: 'job' | 'service'; readonly name: string };
  readonly role: TextRole;
  /** Of a container, which does not see the files of this machine. */
  readonly isBoxed?: boolean;
}

export interface ReferenceFault {
  readonly what: string;
  readonly allowed: string;
  readonly next: string;
}

const address = ['url', 'host', 'port'];
const ownWords = ['self', 'env', 'run', 'environment', 'config'];

export function referenceFault(part: ReferencePart, scope: ReferenceScope): ReferenceFault | undefined {
  const [head = '', ...rest] = part.path;
  if (scope.role === 'expression' && !looksMeant(part)) return undefined;
  if (part.fault !== undefined) return unreadable(part);
  if (scope.role === 'plain' || scope.role === 'expression') return notFilledIn(part);
  if (head === 'env') return variableFault(part, rest, scope);
  const { known, user } = scope;
  if (!user) return onlyVariables(part);
  if (head === 'self') return selfFault(rest, scope);
  if (head === 'run' || head === 'environment') return oneOf(head, rest, ['id']);
  if (head === 'config') return oneOf(head, rest, ['dir']);
  if (head === 'matrix' && known.matrix.length > 0) return oneOf(head, rest, known.matrix);
  const kind = known.resources.get(head);
  if (kind && scope.isBoxed && resourceKind({ kind }).isFile) return outsideOfBox(head, kind === 'volume');
  if (kind) return oneOf(head, rest, resourceKinds[kind].references);
  if (head === user.name && user.kind === 'service') return itself(head, rest);
  const listen = known.services.get(head);
  if (listen) return serviceFault(head, rest, listen);
  if (known.rosters.has(head)) return rosterFault(head, rest, known);
  return unknownHead(part, head, known);
}

function unreadable(part: ReferencePart): ReferenceFault {
  return {
    what: `\`\${${part.reference}\` cannot be read: ${part.fault}`,
    allowed: 'references such as `${db.url}`, `${self.port}` or `${env.NAME:-default}`',
    next: 'correct it, or write `$${` for a plain `${`',
  };
}

function variableFault(
  part: ReferencePart,
  rest: readonly string[],
  scope: ReferenceScope,
): ReferenceFault | undefined {
  const [name, ...more] = rest;
  if (name === undefined || more.length > 0)
    return {
      what: `\`\${${part.reference}}\` does not name a variable`,
      allowed: '`${env.NAME}`',
      next: 'write the name of one environment variable',
    };
  if (hostVariable(part, scope.hostEnv) !== undefined) return undefined;
  return {
    what: `the environment variable ${name} is not set`,
    allowed: `a variable that is set, or a default: \`\${env.${name}:-default}\``,
    next: `export ${name}=…`,
  };
}

function notFilledIn(part: ReferencePart): ReferenceFault {
  return {
    what: `\`\${${part.reference}}\` cannot be used here: nothing is filled in`,
    allowed: 'references in run, cwd, env, files and ready.command',
    next: 'write the value itself',
  };
}

function onlyVariables(part: ReferencePart): ReferenceFault {
  return {
    what: `\`\${${part.reference}}\` is not defined here`,
    allowed: '`${env.NAME}`',
    next: 'take the value from an environment variable',
  };
}

/** In a regular expression `${` may be literal; with names and a dot a reference was intended. */
function looksMeant(part: ReferencePart): boolean {
  return part.fault === undefined && part.path.length > 1;
}

function selfFault(rest: readonly string[], scope: ReferenceScope): ReferenceFault | undefined {
  const listen = scope.known.services.get(scope.user?.name ?? '') ?? [];
  const names = listen.map(({ name }) => name);
  const [first = '', second] = rest;
  const isOwnListener = names.includes(first) && second === 'port' && rest.length === 2;
  const listener = isOwnListener
    ? listen.find(({ name }) => name === first)
    : first === 'port' && rest.length === 1
      ? listen[0]
      : undefined;
  if (listener?.how.by === 'log' && scope.role === 'start') return portNotYetKnown(scope.user?.name ?? '');
  if (listener) return undefined;
  if (first === 'port' && rest.length === 1) return noListener('self');
  return oneOf('self', rest, [
    'name',
    'dir',
    'home',
    'tmp',
    ...(listen.length > 0 ? ['port', ...names.map((name) => `${name}.port`)] : []),
  ]);
}

function serviceFault(
  service: string,
  rest: readonly string[],
  listen: readonly ListenSpec[],
): ReferenceFault | undefined {
  if (listen.length === 0) return noListener(service);
  const named = listen.flatMap(({ name }) => address.map((property) => `${name}.${property}`));
  return oneOf(service, rest, [...address, ...named]);
}

function rosterFault(
  roster: string,
  rest: readonly string[],
  { rosters, services }: KnownNames,
): ReferenceFault | undefined {
  const mute = rosters.get(roster)?.find((member) => services.get(member)?.length === 0);
  if (rest.join('.') === '*.url') return mute === undefined ? undefined : noListener(mute);
  return {
    what: `\`${roster}\` is a roster, and has no \`${rest.join('.')}\``,
    allowed: `\`\${${roster}.*.url}\`, which is name=url,name=url`,
    next: `write \`\${${roster}.*.url}\`, or name one of its services`,
  };
}

function itself(name: string, rest: readonly string[]): ReferenceFault {
  const own = rest.join('.').replace(/(?:url|host)$/, 'port');
  const host = own === rest.join('.') ? '' : '; on this machine the host is 127.0.0.1';
  return {
    what: `\`${name}\` refers to itself`,
    allowed: 'other services and resources; of itself, `${self.port}`, `${self.dir}` and the like',
    next: `write \`\${self.${own || 'port'}}\`${host}`,
  };
}

function outsideOfBox(name: string, isVolume: boolean): ReferenceFault {
  return {
    what: `\`${name}\` is a ${isVolume ? 'folder' : 'file'} of this machine, which a container does not see`,
    allowed: 'references to it in processes (`run`)',
    next: isVolume
      ? `mount it, and write where it is in there: \`mounts: [{ volume: ${name}, to: /${name} }]\``
      : 'run the program as a process, or use a database with an address: `kind: postgres`',
  };
}

function portNotYetKnown(name: string): ReferenceFault {
  return {
    what: `the port of \`${name}\` is not known before it starts, because the service prints it in its log`,
    allowed: '`${self.port}` in `ready.command` only',
    next: "let Shakedown choose the port: `listen: { env: 'PORT' }` or `listen: auto`",
  };
}

function noListener(name: string): ReferenceFault {
  return {
    what:
      name === 'self'
        ? '`${self.port}` is used, but the service has no listener'
        : `the service \`${name}\` does not listen, so it has no address`,
    allowed: 'the address of a service that has `listen`',
    next: name === 'self' ? 'add `listen: auto` to the service' : `add \`listen\` to \`${name}\``,
  };
}

function oneOf(
  head: string,
  rest: readonly string[],
  allowed: readonly string[],
): ReferenceFault | undefined {
  const property = rest.join('.');
  if (allowed.includes(property)) return undefined;
  const guess = nearest(property, allowed);
  return {
    what:
      property === ''
        ? `\`\${${head}}\` does not name a property of \`${head}\``
        : `\`${head}\` has no \`${property}\``,
    allowed: allowed.map((candidate) => `${head}.${candidate}`).join(', '),
    next: guess ? `did you mean \`\${${head}.${guess}}\`?` : `write one of these`,
  };
}

function unknownHead(part: ReferencePart, head: string, known: KnownNames): ReferenceFault {
  const names = [
    ...allNames(known).filter((name) => !known.jobs.has(name)),
    ...ownWords,
    ...(known.matrix.length > 0 ? ['matrix'] : []),
  ];
  const guess = nearest(head, names);
  const suggestion = [guess, ...part.path.slice(1)].join('.');
  const what = known.jobs.has(head)
    ? `\`${head}\` is a job, and a job has no address`
    : head === 'it'
      ? '`it` exists only in the service of a roster'
      : `unknown name \`${head}\``;
  const isShell = /^[A-Z_][A-Z0-9_]*$/.test(head);
  return {
    what,
    allowed: names.join(', '),
    next: isShell
      ? `write \`\${env.${head}}\` for a variable of yours, or \`$\${${head}}\` to leave it to the program`
      : guess && !known.jobs.has(head) && head !== 'it'
        ? `did you mean \`\${${suggestion}}\`?`
        : 'use one of these names, or write `$${` for a plain `${`',
  };
}
