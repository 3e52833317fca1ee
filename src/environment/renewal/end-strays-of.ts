/** Ends what outlived some services, and nothing of the others: found by home, by folder and by log. */
import path from 'node:path';
import { Problem } from '../../kernel/problem.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { endMarked } from '../strays.ts';
import { ownFolders } from '../wiring/hermetic-env.ts';

export async function endStraysOf(context: EnvironmentContext, names: readonly string[]): Promise<void> {
  const { clock, workspace, emit, hostPids } = context;
  const { found, left } = await endMarked(clock, {
    variables: names.map((name) => `HOME=${ownFolders(workspace, name).home}`),
    // In a namespace of our own, everybody who stands there is ours.
    folders: hostPids.outerProc ? names.map((name) => path.join(workspace, name)) : [],
    outputs: names.map((name) => nodeOf(context, name).logFile),
  });
  for (const commandLine of found) emit({ type: 'stray.ended', commandLine });
  if (left.length === 0) return;
  throw new Problem({
    code: 'left.behind',
    where: 'making the environment fresh',
    what: `what services left cannot be ended: ${left.join('; ')}`,
    allowed: 'processes that end when they are killed',
    next: 'look at them with `ps`; take the environment down and start again',
  });
}
