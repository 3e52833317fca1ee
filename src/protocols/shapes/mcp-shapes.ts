/** Shapes M01 to M44: messages of the tool protocol over HTTP and over standard input and output. */
import { mcpContentShapes } from './mcp-content-shapes.ts';
import { mcpTransportShapes } from './mcp-transport-shapes.ts';
import type { Shape } from './shape.ts';

export const mcpShapes: readonly Shape[] = [...mcpTransportShapes, ...mcpContentShapes];
