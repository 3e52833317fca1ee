/** Looks at the keys of a compose file: unknown and refused ones are problems, those that make no difference are listed. */
import { meantKey } from '../../kernel/other-words.ts';
import type { MapNode, YamlNode } from '../source/yaml-tree.ts';
import { type KeyTable, serviceKeys } from './compose-keys.ts';
import { composeProblem, isNull, shown } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';

/** The map, when it is one; its keys are checked. */
export function checkedMap(
  node: YamlNode | undefined,
  what: string,
  table: KeyTable,
  report: ComposeReport,
): MapNode | undefined {
  if (node === undefined || isNull(node)) return undefined;
  if (node.kind !== 'map') {
    const allowed = `a map with the keys ${Object.keys(table).join(', ')}`;
    report.problem(
      composeProblem(node.at, { what: `${what} is ${shown(node)}`, allowed, next: 'write a map' }),
    );
    return undefined;
  }
  for (const [key, entry] of node.entries) {
    if (key.startsWith('x-')) continue;
    const fate = Object.hasOwn(table, key) ? table[key] : undefined;
    if (fate === undefined) {
      const guess = meantKey(key, Object.keys(table));
      const elsewhere =
        table !== serviceKeys && Object.hasOwn(serviceKeys, key)
          ? 'indent it like the other keys of its service'
          : undefined;
      report.problem(
        composeProblem(entry.key, {
          code: 'config.unknown-key',
          what: `\`${key}\` is not a key of ${what}`,
          allowed: usedKeys(table).join(', '),
          next: guess
            ? `did you mean \`${guess}\`?`
            : (elsewhere ?? `remove \`${key}\`, or call it \`x-${key}\``),
        }),
      );
    } else if (fate !== 'used' && 'refused' in fate && !isNull(entry.node)) {
      report.problem(
        composeProblem(entry.key, {
          code: 'compose.unsupported',
          what: `\`${key}\` of ${what}: ${fate.refused}`,
          allowed: 'the keys that the page about compose files lists as used or ignored',
          next: fate.next,
        }),
      );
    } else if (fate !== 'used' && 'ignored' in fate)
      report.ignored(entry.key, `\`${key}\` of ${what}: ${fate.ignored}`);
  }
  return node;
}

/** The others are known, but nobody would look for them in a list. */
function usedKeys(table: KeyTable): readonly string[] {
  return Object.keys(table).filter((key) => table[key] === 'used');
}
