/** The state of the keeper in the form that `status` prints. */
import { attachedNames } from '../../system/attached/attached-services.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import type { EnvironmentState, EnvironmentStatus } from '../environment-status.ts';
import { referencesTo } from '../lookup.ts';
import type { NodeRecord } from '../node-record.ts';
import type { Plan } from '../plan.ts';
import { outside } from '../wiring/edges.ts';

export function describeStatus(
  context: EnvironmentContext,
  plan: Plan,
  state: EnvironmentState,
  keeper: { readonly pid: number; readonly guardPid: number },
): EnvironmentStatus {
  const nodes = [...context.nodes.values()];
  const theirs = attachedNames(context.system);
  const urlOf = (name: string): string | null =>
    context.book.taps.find(({ edge }) => edge.from === outside && edge.to === name)?.url ?? null;
  return {
    environment: plan.environment,
    system: plan.system.name,
    state: state === 'ready' && nodes.some((node) => node.state === 'exited') ? 'degraded' : state,
    run: plan.run,
    runFolder: plan.runFolder,
    containment: plan.containment,
    variant: plan.variant,
    startedAt: plan.startedAt,
    keeper,
    services: nodes
      .filter(({ kind }) => kind === 'service')
      .map(({ name, process, state: nodeState, attached }) => ({
        name,
        pid: process && !process.exit() ? process.pid : null,
        state: nodeState,
        url: urlOf(name),
        exit: process?.exit() ?? null,
        ...(theirs.includes(name) ? { at: attached?.origins ?? [] } : {}),
      })),
    jobs: nodes
      .filter(({ kind }) => kind === 'job')
      .map(({ name, state: nodeState }) => ({ name, state: nodeState })),
    resources: nodes
      .filter(({ kind }) => kind === 'resource')
      .map((node) => describeResource(context, plan, node)),
    edges: context.book.taps.map(({ tap, url }) => ({ from: tap.from, to: tap.to, url })),
  };
}

function describeResource(
  context: EnvironmentContext,
  plan: Plan,
  node: NodeRecord,
): EnvironmentStatus['resources'][number] {
  const { name, resource, state } = node;
  return {
    name,
    kind: plan.system.resources.find((spec) => spec.name === name)?.kind ?? 'unknown',
    pid: state === 'ready' ? (resource?.pid ?? null) : null,
    state,
    url: referencesTo(context, { kind: 'job', name: outside }, name)?.url ?? null,
    summary: resource?.summary ?? null,
  };
}
