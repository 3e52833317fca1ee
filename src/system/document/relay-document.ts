/** A relation that a service in the middle keeps: what comes in goes out. */
import { z } from 'zod';
import { closed } from '../../kinds/kind/values.ts';
import { edge } from './edge-document.ts';

const pathRule = 'a path in a call, such as `request.json.tools`, `turn.text` or `response.status`';
const path = z
  .string(pathRule)
  .regex(
    /^(?:request|response|turn|params|result)(?:\.[^\s=]+)?(?:\s*=\s*(?:request|response|turn|params|result)(?:\.[^\s=]+)?)?$/,
    pathRule,
  );

export const relayDocument = closed(
  {
    incoming: edge.describe('The edge into the service.'),
    outgoing: z
      .union(
        [edge, z.array(edge, 'a list of edges').min(1, 'at least one edge')],
        'an edge, or a list of edges',
      )
      .describe('The edges out of the service.'),
    same: z
      .array(path, 'a list of paths')
      .min(1, 'at least one path')
      .describe('What must be the same on both: requests on their way out, answers on their way back.'),
  },
  'a relay',
);
