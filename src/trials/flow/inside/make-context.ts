/** Builds the context that the body of a flow receives. */
import { edgeName } from '../../../kernel/edge-name.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { Acts, FlowContext, FlowTrial, Observations, PluginMethods } from '../flow-context.ts';
import { actsOf } from './acts.ts';
import { checksOf } from './checks.ts';
import { createFlowDesk } from './flow-desk.ts';
import { observationsOf } from './observations.ts';
import type { PerformerLine } from './performer-line.ts';

export interface ContextParts {
  readonly line: PerformerLine;
  /** The flow's own. */
  readonly file: string;
  readonly trial: FlowTrial;
  readonly urls: Readonly<Record<string, string>>;
}

export function makeContext({ line, file, trial, urls }: ContextParts): FlowContext {
  const desk = createFlowDesk(line, file);
  return {
    trial,
    ...(actsOf(desk) as Acts & PluginMethods),
    ...(observationsOf(desk) as Observations),
    ...checksOf(desk),
    together: (async (...work: readonly (() => unknown)[]) => {
      const all: Promise<unknown>[] = [];
      desk.line.asOne(() => {
        for (const one of work) all.push((async () => one())());
      });
      const ends = await Promise.allSettled(all);
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
      return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined));
    }) as FlowContext['together'],
    url: (named) => {
      const service = named.includes('->') ? edgeName(named) : named;
      const found = Object.hasOwn(urls, service) ? urls[service] : undefined;
      if (found !== undefined) return found;
      const known = Object.keys(urls);
      const guess = nearest(service, known);
      throw new Error(
        `there is no address of \`${service}\`; allowed: ${known.join(', ') || 'nothing: no service listens'}${guess ? `; did you mean \`${guess}\`?` : ''}`,
      );
    },
  };
}
