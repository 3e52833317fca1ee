/** What a check asks its observer, and the name of the source that it looks at. */
import type { CheckKind } from '../document/check-documents.ts';
import { commonCheckKeys, edgePattern } from '../document/step-and-check-keys.ts';
import type { RawMap } from './placed.ts';

/** The keys of its own, brought into the form that the observer takes. */
export function queryOf(kind: CheckKind, raw: RawMap): RawMap {
  const own = Object.fromEntries(
    Object.entries(raw).filter(
      ([key]) => key !== kind && key !== 'only' && !Object.hasOwn(commonCheckKeys, key),
    ),
  );
  const named = raw[kind];
  if (kind === 'calls') {
    const [, from, to] = edgePattern.exec(String(named)) ?? [];
    return { from, to, ...own };
  }
  if (kind === 'rows') {
    const [service, ...table] = String(named).split('.');
    return { service, table: table.join('.'), ...own };
  }
  if (kind === 'changes') return { kinds: named };
  if (kind === 'files')
    return /^[./]/.test(String(named)) ? { folder: named, ...own } : { service: named, ...own };
  if (kind === 'spans') return named === '*' ? own : { service: named, ...own };
  return kind === 'exchange' ? { exchange: named } : { service: named, ...own };
}

export function sourceOf(kind: CheckKind, query: RawMap): string {
  if (kind === 'calls') return `calls ${String(query.from)} -> ${String(query.to)}`;
  if (kind === 'rows') return `rows ${String(query.service)}.${String(query.table)}`;
  if (kind === 'changes') return 'changes';
  if (kind === 'files') return `files ${String(query.service ?? query.folder)} ${String(query.path ?? '**')}`;
  if (kind === 'spans')
    return ['spans', query.service, query.name].filter((part) => part !== undefined).join(' ');
  if (kind === 'events') return `events ${String(query.service)} ${String(query.file)}`;
  return `${kind} ${String(query.exchange ?? query.service)}`;
}
