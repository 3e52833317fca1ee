/** Applies the modes of models and third parties that the command line overrides. */
import { nearest } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import type {
  HttpPeerSpec,
  ModelMode,
  ModelSpec,
  PeerMode,
  ResourceSpec,
  System,
} from '../../system/system.ts';

/** As given on the command line, so that the run can be repeated. */
export interface WhoAnswers {
  readonly model?: ModelMode;
  readonly peers?: PeerMode;
  /** The resources whose real answers are recorded: names with commas, or all. */
  readonly recording?: string;
}

/** The value of `recording` for all resources that have a real upstream. */
export const everyResource = '*';

export function withWhoAnswers(system: System, { model, peers, recording }: WhoAnswers): System {
  const withModels = model === undefined ? system : withModelMode(system, model);
  const withPeers = peers === undefined ? withModels : withPeerMode(withModels, peers);
  return recording === undefined ? withPeers : withRecording(withPeers, recording);
}

function withModelMode(system: System, mode: ModelMode): System {
  const isMeant = (resource: ResourceSpec): resource is ModelSpec => resource.kind === 'model';
  if (!system.resources.some(isMeant))
    throw badUsage(
      `model mode ${mode}`,
      'the config declares no resource of the kind `model`',
      'a system with a model provider among its resources',
      'add `resources: { model: { kind: model } }`, and give `${model.url}` to the services that call it',
    );
  return changed(system, (resource) => (isMeant(resource) ? { ...resource, mode } : resource));
}

/** Those without an `upstream` have no real service, and stay unchanged. */
function withPeerMode(system: System, mode: PeerMode): System {
  const isMeant = (resource: ResourceSpec): resource is HttpPeerSpec =>
    resourceKind(resource).party === 'peer' && hasRealOne(resource);
  if (!system.resources.some(isMeant))
    throw badUsage(
      `third parties, mode ${mode}`,
      'the config declares no resource of the kind `http` with an `upstream`',
      'a system with a third party that has a real service as `upstream`',
      'add `upstream: { url }` to the third party',
    );
  return changed(system, (resource) => (isMeant(resource) ? { ...resource, mode } : resource));
}

/** Every resource that is meant forwards to its real upstream, and its answers are recorded. */
function withRecording(system: System, recording: string): System {
  const wanted = recording === everyResource ? undefined : recording.split(',').filter(Boolean);
  const able = system.resources.filter(hasRealOne);
  for (const name of wanted ?? []) refuseUnable(name, system, able);
  if (able.length === 0)
    throw badUsage(
      'shakedown record',
      'nothing can be recorded: no model has `upstreams`, and no third party has an `upstream`',
      'a resource of the kind `model` or `http` with the address of the real service',
      'add it to the config; or print what crossed an edge: shakedown record TRIAL --edge EDGE',
    );
  return changed(system, (resource) =>
    hasRealOne(resource) && (wanted === undefined || wanted.includes(resource.name))
      ? { ...resource, mode: 'record' }
      : resource,
  );
}

function changed(system: System, change: (resource: ResourceSpec) => ResourceSpec): System {
  return { ...system, resources: system.resources.map(change) };
}

function hasRealOne(resource: ResourceSpec): resource is ModelSpec | HttpPeerSpec {
  return (resourceKind(resource).upstreams?.(resource) ?? []).length > 0;
}

function refuseUnable(name: string, { resources }: System, able: readonly ResourceSpec[]): void {
  if (able.some((resource) => resource.name === name)) return;
  const names = able.map((resource) => resource.name);
  const isThere = resources.some((resource) => resource.name === name);
  const guess = nearest(name, names);
  throw badUsage(
    'shakedown record --resource',
    isThere ? `the resource ${name} has no real upstream` : `there is no resource ${JSON.stringify(name)}`,
    names.join(', ') || 'no resource has a real upstream',
    guess
      ? `did you mean \`--resource ${guess}\`?`
      : 'name one of these, or add `upstreams` to the model, `upstream` to the third party',
  );
}
