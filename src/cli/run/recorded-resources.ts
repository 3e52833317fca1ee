/** `record`: everything that has a real one behind it answers with that, and is recorded. */
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { HttpPeerSpec, ModelSpec, ResourceSpec, System } from '../../system/system.ts';
import { type Call, optionText } from '../verb.ts';

/** How `record` asks for it: names of resources with commas, or this for all. */
export const everyResource = '*';

export function withRecording(call: Call, system: System): System {
  const asked = optionText(call, 'recording');
  if (asked === undefined) return system;
  const wanted = asked === everyResource ? undefined : asked.split(',').filter(Boolean);
  const able = system.resources.filter(hasRealOne);
  for (const name of wanted ?? []) refuseUnable(name, system, able);
  if (able.length === 0) throw nothingReal();
  const isMeant = (resource: ResourceSpec): resource is ModelSpec | HttpPeerSpec =>
    hasRealOne(resource) && (wanted === undefined || wanted.includes(resource.name));
  return {
    ...system,
    resources: system.resources.map((resource) =>
      isMeant(resource) ? { ...resource, mode: 'record' } : resource,
    ),
  };
}

function hasRealOne(resource: ResourceSpec): resource is ModelSpec | HttpPeerSpec {
  if (resource.kind === 'model') return Object.keys(resource.upstreams).length > 0;
  return resource.kind === 'http' && resource.upstream !== undefined;
}

function refuseUnable(name: string, { resources }: System, able: readonly ResourceSpec[]): void {
  if (able.some((resource) => resource.name === name)) return;
  const names = able.map((resource) => resource.name);
  const isThere = resources.some((resource) => resource.name === name);
  const guess = nearest(name, names);
  throw new Problem({
    code: 'usage.bad-value',
    where: 'shakedown record --resource',
    what: isThere
      ? `the resource ${name} has no real one behind it`
      : `there is no resource ${JSON.stringify(name)}`,
    allowed: names.join(', ') || 'no resource has a real one behind it',
    next: guess
      ? `did you mean \`--resource ${guess}\`?`
      : 'name one of these, or add `upstreams` to the model, `upstream` to the third party',
  });
}

function nothingReal(): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown record',
    what: 'nothing can be recorded: no model has `upstreams`, and no third party has an `upstream`',
    allowed: 'a resource of the kind `model` or `http` with the address of the real one',
    next: 'add it to the config; or print what crossed an edge: shakedown record TRIAL --edge EDGE',
  });
}
