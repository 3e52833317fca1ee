/** All shapes of the corpus. */
import { anthropicShapes } from './anthropic-shapes.ts';
import { chatShapes } from './chat-shapes.ts';
import { framingShapes } from './framing-shapes.ts';
import { geminiShapes } from './gemini-shapes.ts';
import { mcpShapes } from './mcp-shapes.ts';
import { responsesShapes } from './responses-shapes.ts';
import type { Shape } from './shape.ts';

export const shapes: readonly Shape[] = [
  ...framingShapes,
  ...chatShapes,
  ...responsesShapes,
  ...anthropicShapes,
  ...geminiShapes,
  ...mcpShapes,
];

/** Undefined where the corpus has no such row. */
export function shapeOf(id: string): Shape | undefined {
  return shapes.find((shape) => shape.id === id);
}
