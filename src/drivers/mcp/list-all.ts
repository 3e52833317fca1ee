/** Everything that a server lists, page by page. */
import { isMap } from '../../kernel/is-map.ts';
import { type ListKind, methodsOfLists } from '../../protocols/mcp/eras.ts';
import type { ActError } from '../driver.ts';
import type { Call } from './call.ts';
import type { McpClient } from './mcp-client.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { Outcome } from './waiting-room.ts';

/** What was listed, in the order of the server, up to the end or up to what went wrong. */
export interface Listed {
  readonly items: readonly unknown[];
  readonly pages: number;
  readonly wrong?: Exclude<Outcome, { kind: 'result' }>;
}

export async function listAll(client: McpClient, kind: ListKind, call: Call): Promise<Listed> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: { readonly cursor: string } | undefined;
  for (let pages = 1; ; pages += 1) {
    const wrong = (message: string, kind: ActError['kind'] = 'garbage'): Listed => ({
      items,
      pages,
      wrong: { kind: 'failed', error: { kind, message } },
    });
    const answer = await client.request(methodsOfLists[kind], cursor, call);
    if (answer.kind !== 'result') return { items, pages, wrong: answer };
    const page = isMap(answer.result) ? answer.result : {};
    const found = page[kind];
    if (!Array.isArray(found)) return wrong(`the answer holds no list of ${kind}`);
    items.push(...found);
    const { nextCursor } = page;
    if (nextCursor === undefined) return { items, pages };
    if (nextCursor === null || nextCursor === '') {
      call.record.note('the last page names an empty `nextCursor`, where it should name none');
      return { items, pages };
    }
    if (typeof nextCursor !== 'string') return wrong('`nextCursor` is not a string');
    if (seen.has(nextCursor)) return wrong(`page ${pages} leads back to an earlier one`);
    if (pages === mcpLimits.pages) return wrong(`the list has more than ${pages} pages`, 'too-large');
    seen.add(nextCursor);
    cursor = { cursor: nextCursor };
  }
}
