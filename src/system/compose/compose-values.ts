/** Reads single values of a compose file: numbers, sizes, durations, commands; what cannot be read is a problem. */
import type { YamlNode } from '../source/yaml-tree.ts';
import { isNull, isTrue, itemsOf, textOf, wrongValue } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';
import { shellWords } from './shell-words.ts';

/** Reads the values of one service or section: each by its key. */
export class ComposeValues {
  readonly #find: (key: string) => YamlNode | undefined;
  readonly #report: ComposeReport;

  constructor(find: (key: string) => YamlNode | undefined, report: ComposeReport) {
    this.#find = find;
    this.#report = report;
  }

  text(key: string): string | undefined {
    const node = this.#given(key);
    if (node && node.kind !== 'scalar') return this.#wrong(node, key, 'a text');
    return textOf(node);
  }

  number(key: string, allowed = 'a number'): number | undefined {
    const written = this.text(key);
    if (written === undefined || written === '') return undefined;
    const number = Number(written);
    return Number.isFinite(number) ? number : this.#wrong(this.#find(key), key, allowed);
  }

  flag(key: string): boolean | undefined {
    const node = this.#given(key);
    if (node === undefined) return undefined;
    if (isTrue(node)) return true;
    return /^(?:false|no|off|n|0|)$/i.test(textOf(node) ?? '?')
      ? false
      : this.#wrong(node, key, 'true or false');
  }

  bytes(key: string): number | undefined {
    const written = this.text(key);
    if (written === undefined || written === '') return undefined;
    return (
      parseBytes(written) ??
      this.#wrong(this.#find(key), key, 'a size such as `512m`, `2g` or a number of bytes')
    );
  }

  durationMs(key: string): number | undefined {
    const written = this.text(key);
    if (written === undefined) return undefined;
    return (
      parseGoDuration(written) ??
      this.#wrong(this.#find(key), key, 'a duration such as `30s`, `1m30s` or `500ms`')
    );
  }

  texts(key: string): readonly string[] | undefined {
    const node = this.#given(key);
    if (node === undefined) return undefined;
    if (node.kind === 'map') return this.#wrong(node, key, 'a list of texts');
    return node.kind === 'scalar' ? [textOf(node) ?? ''] : itemsOf(node).map((item) => textOf(item) ?? '');
  }

  /** A map of texts; nothing is an empty text. */
  map(key: string): Readonly<Record<string, string>> | undefined {
    const node = this.#given(key);
    if (node === undefined) return undefined;
    if (node.kind !== 'map') return this.#wrong(node, key, 'a map, or a list of NAME=value');
    return Object.fromEntries([...node.entries].map(([name, entry]) => [name, textOf(entry.node) ?? '']));
  }

  /** A command line: a list of words, or a text that is split as a shell does. */
  command(key: string): readonly string[] | undefined {
    const node = this.#given(key);
    if (node === undefined || node.kind !== 'scalar') return this.texts(key);
    const split = shellWords(textOf(node) ?? '');
    if (split === undefined)
      return this.#wrong(node, key, 'a text in which every quote is closed, or a list of words');
    if (split.dropped !== '')
      this.#report.ignored(
        node.at,
        `\`${split.dropped}\` of \`${key}\`: no shell reads it; write a list for \`sh -c\``,
      );
    return split.words;
  }

  #given(key: string): YamlNode | undefined {
    const node = this.#find(key);
    return isNull(node) ? undefined : node;
  }

  #wrong(node: YamlNode | undefined, key: string, allowed: string): undefined {
    if (node) this.#report.problem(wrongValue(node, key, allowed));
    return undefined;
  }
}

const byteUnits = ['b', 'k', 'm', 'g', 't', 'p'];

export function parseBytes(text: string): number | undefined {
  const [, digits, unit = 'b'] = /^(-1|\d+(?:\.\d+)?)\s*(?:([kmgtp]?)i?b?)$/i.exec(text.trim()) ?? [];
  return digits === undefined
    ? undefined
    : Math.trunc(Number(digits) * 1024 ** byteUnits.indexOf((unit || 'b').toLowerCase()));
}

const durationUnits: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const durationPart = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d|w)/g;

export function parseGoDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const parts = [...text.matchAll(durationPart)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return parts.reduce(
    (sum, [, digits, unit]) => sum + Number(digits) * (durationUnits[unit as string] as number),
    0,
  );
}
