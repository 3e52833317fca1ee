/** The evidence of an `mcp` step in a few words. */
import { isMap } from '../../kernel/is-map.ts';
import type { EvidenceFormat } from '../kind/evidence.ts';

export const mcpFormat: EvidenceFormat = {
  when: ['rpcError', 'isError', 'result'],
  words: ({ rpcError, isError, result, content }, show) => {
    if (rpcError !== undefined) return formatRpcError(rpcError, show);
    const said = show(result ?? content);
    return isError === true ? `the tool failed: ${said}` : `result ${said}`;
  },
};

export function formatRpcError(error: unknown, show: (value: unknown) => string): string {
  if (!isMap(error)) return show(error);
  // Redis has no codes.
  const code = error.code === undefined ? '' : ` ${String(error.code)}`;
  return `error${code}: ${String(error.message)}`;
}
