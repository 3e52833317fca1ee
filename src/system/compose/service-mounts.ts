/** What a service of a compose file mounts: folders, volumes, and file systems in memory. */
import { defined } from '../../kernel/defined.ts';
import type { MapNode, YamlNode } from '../source/yaml-tree.ts';
import { checkedMap } from './check-keys.ts';
import { mountKeys } from './compose-keys.ts';
import type { ComposeMount } from './compose-model.ts';
import { composeProblem, fieldOf, isTrue, itemsOf, textOf, wrongValue } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';
import { ComposeValues, parseBytes } from './compose-values.ts';

export function mountsOf(service: MapNode, report: ComposeReport): readonly ComposeMount[] {
  return [
    ...itemsOf(fieldOf(service, 'volumes')).flatMap((item) => mountOf(item, report)),
    ...itemsOf(fieldOf(service, 'tmpfs')).flatMap((item) => tmpfsOf(item, report)),
  ];
}

const types = ['bind', 'volume', 'tmpfs'] as const;

function mountOf(item: YamlNode, report: ComposeReport): readonly ComposeMount[] {
  const map = checkedMap(item, '`volumes`', mountKeys, report);
  if (map === undefined) return [];
  const written = fieldOf(map, 'type');
  const type = types.find((one) => one === (textOf(written) ?? 'volume'));
  const target = textOf(fieldOf(map, 'target'));
  if (type === undefined || target === undefined) {
    const key = type === undefined ? 'type' : 'target';
    const allowed = type === undefined ? types.join(', ') : 'a path in the container';
    report.problem(wrongValue(fieldOf(map, key) ?? item, key, allowed));
    return [];
  }
  const subpath = fieldOf(map, 'volume', 'subpath');
  if (subpath)
    report.problem(
      composeProblem(subpath.at, {
        code: 'compose.unsupported',
        what: '`subpath`: a volume is mounted as a whole',
        allowed: 'the whole volume',
        next: 'give the part a volume of its own',
      }),
    );
  const tmpfs = new ComposeValues((key) => fieldOf(map, 'tmpfs', key), report);
  const createSource = fieldOf(map, 'bind', 'create_host_path');
  return [
    defined({
      type,
      source: textOf(fieldOf(map, 'source')),
      target,
      readOnly: isTrue(fieldOf(map, 'read_only')),
      createSource: createSource === undefined || isTrue(createSource),
      noCopy: isTrue(fieldOf(map, 'volume', 'nocopy')),
      sizeBytes: tmpfs.bytes('size'),
      mode: modeOf(tmpfs.text('mode')),
      at: item.at,
    }),
  ];
}

/** `/run:size=64m,mode=1770`. */
function tmpfsOf(item: YamlNode, report: ComposeReport): readonly ComposeMount[] {
  const [target = '', options = ''] = (textOf(item) ?? '').split(':');
  if (!target.startsWith('/')) {
    report.problem(
      wrongValue(item, 'tmpfs', 'an absolute path, with options after a colon: `/run:size=64m`'),
    );
    return [];
  }
  const given = new Map(
    options.split(',').map((option) => option.split('=') as [string, string | undefined]),
  );
  const mode = given.get('mode');
  return [
    defined({
      type: 'tmpfs',
      target,
      readOnly: given.has('ro'),
      createSource: true,
      noCopy: false,
      sizeBytes: parseBytes(given.get('size') ?? ''),
      mode: mode === undefined ? undefined : Number.parseInt(mode, 8),
      at: item.at,
    }),
  ];
}

/** A number is one already; a text is octal. */
export function modeOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  return /^0o?[0-7]+$/.test(written) ? Number.parseInt(written.replace('o', ''), 8) : Number(written);
}
