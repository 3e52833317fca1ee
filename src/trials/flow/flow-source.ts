/** Where the options of a flow stand in its file, key by key; where that cannot be seen, the call itself. */
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { type ConfigSource, createConfigSource, type SourceNode } from '../../system/source/config-source.ts';
import { argumentSourceNode } from '../../system/source/module-source-node.ts';
import { stripTypes } from '../../system/source/strip-types.ts';
import type { FoundFlow } from './flow-message.ts';

export function flowSource(file: string, text: string, { line, column }: FoundFlow): ConfigSource {
  const offset = offsetOf(text, line, column);
  const call: SourcePosition = positionAt(file, text, offset, 'flow'.length);
  const findOptions = (): SourceNode | undefined => {
    const javascript = /\.m?ts$/.test(file) ? stripTypes(file, text) : text;
    return argumentSourceNode(javascript, offset, 1);
  };
  const written = createConfigSource(file, text, findOptions);
  return {
    ...written,
    keyPosition: (path) => (written.knows([]) && path.length > 0 ? written.keyPosition(path) : call),
    valuePosition: (path) => (written.knows([]) && path.length > 0 ? written.valuePosition(path) : call),
  };
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}
