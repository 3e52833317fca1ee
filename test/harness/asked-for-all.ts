/** A request that asks for everything that one can. */
import type { Asked } from '../../src/protocols/shapes/asked.ts';

/** Everything that a request can ask for: whether a shape can be sent at all. */
export const askedForAll: Asked = {
  encodings: ['gzip', 'br'],
  choices: 2,
  usage: true,
  hosted: ['web_search', 'mcp', 'image_generation'],
  seals: true,
  thinking: true,
  functions: true,
};
