/** What the keeper knows, in the form that observers take. */

import type { DatabaseFacts, EnvironmentFacts, ServiceFacts } from '../../journal/environment-facts.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { runningPid } from '../renewal/act-on-service.ts';
import { ownFolders } from '../wiring/hermetic-env.ts';
import { shimFolders } from '../wiring/shims.ts';

export function describeFacts(context: EnvironmentContext): EnvironmentFacts {
  const { system } = context;
  return {
    services: system.services.map((spec) => serviceFacts(context, spec)),
    databases: system.resources.flatMap(({ name }) => databaseFacts(context, name)),
  };
}

function serviceFacts(context: EnvironmentContext, spec: ServiceSpec): ServiceFacts {
  const { name } = spec;
  const { starts, logFile } = nodeOf(context, name);
  return {
    name,
    pid: runningPid(context, name),
    starts,
    logFile,
    folders: ownFolders(context.workspace, name),
    shims: shimFolders(context.workspace, spec),
  };
}

function databaseFacts(context: EnvironmentContext, resource: string): readonly DatabaseFacts[] {
  const places = nodeOf(context, resource).resource?.places?.() ?? [];
  return places.map((place) => ({ resource, ...place }));
}
