/** The rows of the corpus as data: what was seen in the wild, and what a good consumer does with it. */
import rows from './corpus.json' with { type: 'json' };
import type { ShapeRow } from './shape.ts';

export const corpus = rows as readonly ShapeRow[];
