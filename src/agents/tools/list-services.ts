/** `list_services`: what the system is made of, from its config alone. */
import { z } from 'zod';
import { openSystem } from '../../campaigns/session/open-system.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { knownEdges } from '../../trials/known-edges.ts';
import type { Piece } from '../answer/page.ts';
import { cursorArgument, defineTool, reads } from '../answer/tool.ts';

export const listServices = defineTool({
  name: 'list_services',
  title: 'List services',
  description:
    'Lists services, jobs, resources, and the edges on which calls are observed, as the config declares them. Boots nothing.',
  input: z.strictObject({ cursor: cursorArgument }),
  annotations: reads,
  answer: async (_, { host }) => {
    const system = await openSystem(host);
    const { name, services, jobs, resources } = system;
    const edges = knownEdges(system);
    return {
      says: [`The system ${name}:`],
      data: { system: name, edges: edges.length },
      own: [
        ...services.map((service) => pieceOf('service', service.name, howItRuns(service), service.after)),
        ...jobs.map((job) => pieceOf('job', job.name, job.container ? 'container' : 'program', job.after)),
        ...resources.map((resource) => pieceOf('resource', resource.name, resource.kind, [])),
        ...edges.map((edge) => ({ text: `edge ${edge}`, data: { edge } })),
      ],
    };
  },
});

function howItRuns({ attached, container, listen }: ServiceSpec): string {
  const how = attached ? 'somebody else’s, attached' : container ? 'container' : 'program';
  return [how, ...listen.map(({ name, scheme }) => `${scheme} (${name})`)].join(', ');
}

function pieceOf(part: string, name: string, how: string, after: readonly string[]): Piece {
  const waits = after.length === 0 ? '' : `; after ${after.join(', ')}`;
  return { text: `${part} ${name}: ${how}${waits}`, data: { part, name, how, after } };
}
