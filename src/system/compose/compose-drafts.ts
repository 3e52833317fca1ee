/** Turns the services of compose files into drafts of jobs and services, with what the config adds to them. */
import { defined } from '../../kernel/defined.ts';
import { refuse } from '../../kernel/problem.ts';
import { escapeReferences } from '../../kernel/references.ts';
import { buildListen } from '../build/build-listen.ts';
import { sortProblems } from '../check/sort-problems.ts';
import type { ServiceAddition } from '../document/compose-document.ts';
import type { ListenDocument } from '../document/listen-document.ts';
import type { ServiceDocument } from '../document/program-document.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { RosterMember } from '../roster/expand-roster.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { yamlPosition } from '../source/yaml-tree.ts';
import type { ListenSpec } from '../system.ts';
import { composeConfigProblems, nothingToReplace } from './compose-config-problems.ts';
import { composeContainer } from './compose-container.ts';
import type { ComposeProject, ComposeService } from './compose-model.ts';
import { systemName } from './compose-names.ts';
import { composeOfConfig } from './compose-of-config.ts';
import { type PeerSurroundings, peersOf, untappedPorts } from './compose-peers.ts';
import { type KnownPort, listenersOfPorts, servicePorts } from './compose-ports.ts';
import { composeReady, composeStop } from './compose-ready.ts';
import { findReplacements, type Replacements } from './compose-replace.ts';
import { type ComposeNotice, type ComposeReport, createReport } from './compose-report.ts';
import { exposedPorts } from './dockerfile-ports.ts';
import { isJob } from './is-job.ts';

export interface ComposeDrafts extends Pick<Replacements, 'resources' | 'logins'> {
  readonly drafts: readonly ProgramDraft[];
  readonly notices: readonly ComposeNotice[];
  readonly texts: readonly string[];
  /** Variables whose values are secrets, because the files say so. */
  readonly secrets: readonly string[];
}

const none: ComposeDrafts = {
  drafts: [],
  notices: [],
  texts: [],
  secrets: [],
  resources: {},
  logins: new Map(),
};

export async function composeDrafts(
  document: SystemDocument,
  members: readonly RosterMember[],
  hostEnv: Readonly<Record<string, string | undefined>>,
  source: ConfigSource,
): Promise<ComposeDrafts> {
  if (document.compose === undefined) {
    if (document.replace !== undefined) refuse([nothingToReplace(source)]);
    return none;
  }
  const { project, additions } = await composeOfConfig(document.compose, hostEnv, source);
  const memberNames = members.map(({ name }) => name);
  const replaced = findReplacements(document, project, memberNames, source);
  const kept = project.services.filter(({ name }) => !replaced.by.has(name));
  const added = Object.keys(additions);
  refuse(
    sortProblems([
      ...replaced.problems,
      ...composeConfigProblems({ document, source, project, kept, added, members: memberNames }),
    ]),
  );
  const report = createReport();
  const drafting = surroundings({ document, members, project, additions, replaced, report });
  const drafts = kept.map((service) => draftOf(service, drafting));
  refuse(sortProblems(report.problems));
  return {
    drafts,
    resources: replaced.resources,
    logins: replaced.logins,
    notices: [...project.notices, ...report.notices, ...untappedPorts(kept)],
    texts: project.texts,
    secrets: secretVariables(project),
  };
}

interface Parts {
  readonly document: SystemDocument;
  readonly members: readonly RosterMember[];
  readonly project: ComposeProject;
  readonly additions: Readonly<Record<string, ServiceAddition>>;
  readonly replaced: Replacements;
  readonly report: ComposeReport;
}

interface Drafting extends Parts {
  readonly around: PeerSurroundings;
  readonly listenOf: (service: ComposeService) => ListenDocument | undefined;
}

function surroundings(parts: Parts): Drafting {
  const { document, members, project, additions, replaced } = parts;
  const ports = servicePorts(project, exposedPorts(project.services));
  const listenOf = ({ name }: ComposeService): ListenDocument | undefined => {
    const known = listenersOfPorts(ports.byService.get(name) ?? []);
    return additions[name]?.listen ?? (known.length === 0 ? undefined : known);
  };
  const own = new Map(
    project.services
      .filter(({ name }) => !replaced.by.has(name))
      .map((service) => [systemName(service.name), buildListen(listenOf(service))]),
  );
  const resources = { ...document.resources, ...replaced.resources };
  const around: PeerSurroundings = {
    services: project.services,
    ports,
    replaced: replaced.by,
    isService: (service) => {
      const target = replaced.by.get(service.name);
      return target === undefined
        ? !isJob(service, project.services, additions[service.name])
        : !Object.hasOwn(document.jobs ?? {}, target);
    },
    listenerOf: (name, port) => {
      if (Object.hasOwn(resources, name)) return 'main';
      const member = members.find((one) => one.name === name);
      const declared = document.services?.[name] ?? member?.document;
      const listen = declared ? buildListen(declared.listen) : (own.get(name) ?? []);
      return listenerFor(listen, port, declared !== undefined);
    },
  };
  return { ...parts, around, listenOf };
}

/** The listener with that port, or else the first one of what stands in for the service. */
function listenerFor(
  listen: readonly ListenSpec[],
  { port }: KnownPort,
  isDeclared: boolean,
): string | undefined {
  const same = listen.find(({ how }) => how.by === 'fixed' && how.port === port);
  return (same ?? (isDeclared ? listen[0] : undefined))?.name;
}

function draftOf(service: ComposeService, drafting: Drafting): ProgramDraft {
  const { project, additions, report, around, listenOf } = drafting;
  const addition = additions[service.name] ?? {};
  const container = {
    ...composeContainer(service, project, report),
    peers: peersOf(service, around),
    ...defined({ allow: addition.allow }),
  };
  const listen = listenOf(service);
  const ready = composeReady(container, buildListen(listen));
  const bare = {
    name: systemName(service.name),
    path: ['compose', 'services', service.name],
    templates: [],
    compose: { container, at: yamlPosition(service.at), ready },
  };
  const common = commonDocument(service, addition, drafting);
  if (!around.isService(service)) {
    const { within, inputs } = addition;
    return { kind: 'job', ...bare, document: { ...common, ...defined({ within, inputs }) } };
  }
  const stop = addition.stop ?? composeStop(service, report);
  const more = defined({ listen, stop, ready: addition.ready, reset: addition.reset });
  return { kind: 'service', ...bare, document: { ...common, ...more } as ServiceDocument };
}

function commonDocument(service: ComposeService, addition: ServiceAddition, { project, replaced }: Drafting) {
  const env = Object.entries(service.environment).map(([name, value]) => [name, escapeReferences(value)]);
  const named = [...Object.keys(service.dependsOn), ...Object.values(service.links)];
  const active = named.filter((name) => project.services.some((one) => one.name === name));
  const after = active.map((name) => replaced.by.get(name) ?? systemName(name));
  return {
    image: service.image ?? service.name,
    env: { ...(Object.fromEntries(env) as Record<string, string>), ...addition.env },
    after: [...new Set([...after, ...(addition.after ?? [])])],
  };
}

function secretVariables({ files, variables }: ComposeProject): readonly string[] {
  return Object.entries(files).flatMap(([key, { from }]) => {
    if (!key.startsWith('secrets ') || typeof from !== 'object' || !('variable' in from)) return [];
    return variables.shell(from.variable) === undefined ? [] : [from.variable];
  });
}
