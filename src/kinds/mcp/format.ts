/** The evidence of an `mcp` step in a few words. */

import { counted, firstNames } from '../../kernel/counted.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { EvidenceFormat } from '../kind/evidence.ts';

export const mcpFormat: EvidenceFormat = {
  when: ['rpcError', 'isError', 'result'],
  words: ({ rpcError, isError, result, content, text, ...evidence }, show) => {
    if (rpcError !== undefined) return formatRpcError(rpcError, show);
    if (Array.isArray(evidence.names)) return formatList(evidence);
    const said = show(result ?? content ?? text);
    return isError === true ? `the tool failed: ${said}` : `result ${said}`;
  },
};

/** Of a long list, only the names are kept. */
function formatList({ names, ...evidence }: Readonly<Record<string, unknown>>): string {
  const known = (names as readonly unknown[]).filter((name) => typeof name === 'string');
  const kind = listed.find((one) => Array.isArray(evidence[one]));
  const items = kind === undefined ? known : (evidence[kind] as readonly unknown[]);
  const noun = kind === 'resourceTemplates' ? 'resource template' : (kind?.slice(0, -1) ?? 'name');
  return [counted(items.length, noun), firstNames(known, mostNames)].filter((part) => part !== '').join(': ');
}

const listed = ['tools', 'resources', 'resourceTemplates', 'prompts'];
const mostNames = 5;

export function formatRpcError(error: unknown, show: (value: unknown) => string): string {
  if (!isMap(error)) return show(error);
  // Redis has no codes.
  const code = error.code === undefined ? '' : ` ${String(error.code)}`;
  return `error${code}: ${String(error.message)}`;
}
