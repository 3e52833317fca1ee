/** Notifies our own responders when an attempt begins and when it is over. */
import { defined } from '../../kernel/defined.ts';
import type { AttemptEnded, PeerPart, ScriptedPeer } from '../../resources/resource.ts';
import type { StepGave } from '../../resources/script-values.ts';
import type { EnvironmentContext } from '../environment-context.ts';

export interface PeersBegin extends Omit<PeerPart, 'script' | 'budget'> {
  /** By resource. */
  readonly scripts: Readonly<Record<string, unknown>>;
  /** By resource. */
  readonly budgets: Readonly<Record<string, NonNullable<PeerPart['budget']>>>;
}

/** Also those without a script, so that they forget the previous attempt. */
export async function beginPeers(
  context: EnvironmentContext,
  { scripts, budgets, ...part }: PeersBegin,
): Promise<void> {
  for (const [name, peer] of peersOf(context))
    await peer.begin({ ...part, script: scripts[name], ...defined({ budget: budgets[name] }) });
}

export function sendStepResults(context: EnvironmentContext, gave: StepGave): void {
  for (const [, peer] of peersOf(context)) peer.learn?.(gave);
}

export async function settlePeers(context: EnvironmentContext, ended: AttemptEnded): Promise<void> {
  for (const [, peer] of peersOf(context)) await peer.settle(ended);
}

function peersOf({ nodes }: EnvironmentContext): readonly (readonly [string, ScriptedPeer])[] {
  return [...nodes.values()].flatMap(({ name, resource }) =>
    resource?.peer ? [[name, resource.peer] as const] : [],
  );
}
