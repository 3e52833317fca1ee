/** Finds duplicate keys, keys that are not plain words, and recursive aliases in a YAML document. */
import { type Document, isMap, isNode, isScalar, type Pair, visit, type YAMLMap } from 'yaml';
import { Problem } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { yamlAliases } from './yaml-aliases.ts';

export function checkYamlKeys(
  file: string,
  text: string,
  document: Document.Parsed,
  code: ProblemCode,
): Problem[] {
  const problems: Problem[] = [];
  const aliases = yamlAliases(document);
  visit(document, {
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value !== null) return;
      const start = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? 0;
      problems.push(oddKey(file, text, start, code));
    },
    Alias: (_, alias, ancestors) => {
      const target = aliases.get(alias);
      if (target === undefined || !ancestors.includes(target)) return;
      problems.push(
        endlessAlias(
          positionAt(file, text, alias.range?.[0] ?? 0, alias.source.length + 1),
          alias.source,
          code,
        ),
      );
    },
  });
  return problems;
}

/** Both positions of a duplicate key. */
export function describeDuplicate(
  file: string,
  text: string,
  document: Document.Parsed,
  [start, end]: readonly [number, number],
): Problem {
  const key = text.slice(start, end).split('\n')[0] as string;
  const first = firstOccurrence(document, start);
  const firstLine =
    first === undefined ? '' : `; it is already in line ${positionAt(file, text, first).line}`;
  const repeatedKey = keyText(document, start) ?? key;
  return new Problem({
    code: 'config.duplicate-name',
    where: positionAt(file, text, start, repeatedKey.length),
    what: `the key \`${repeatedKey}\` is in this map twice${firstLine}`,
    allowed: 'each key once',
    next: 'rename or remove one of the two',
  });
}

function firstOccurrence(document: Document.Parsed, repeated: number): number | undefined {
  const map = mapWithKeyAt(document, repeated);
  const wanted = keyText(document, repeated);
  const pair = map?.items.find((item) => isScalar(item.key) && String(item.key.value) === wanted);
  return pair && keyStart(pair);
}

function keyText(document: Document.Parsed, start: number): string | undefined {
  const pair = mapWithKeyAt(document, start)?.items.find((item) => keyStart(item) === start);
  return pair && isScalar(pair.key) ? String(pair.key.value) : undefined;
}

function mapWithKeyAt(document: Document.Parsed, start: number): YAMLMap | undefined {
  let found: YAMLMap | undefined;
  visit(document, {
    Map: (_, map) => {
      if (map.items.some((item) => keyStart(item) === start)) found = map;
    },
  });
  return found;
}

function keyStart(pair: Pair): number | undefined {
  return isNode(pair.key) && !isMap(pair.key) ? pair.key.range?.[0] : undefined;
}

function oddKey(file: string, text: string, start: number, code: ProblemCode): Problem {
  return new Problem({
    code,
    where: positionAt(file, text, start),
    what: 'a key here is not a word but a list, a map or nothing',
    allowed: 'words as keys',
    next: 'put quotes around the key, or remove the line',
  });
}

function endlessAlias(where: SourcePosition, alias: string, code: ProblemCode): Problem {
  return new Problem({
    code,
    where,
    what: `the alias *${alias} is inside the value that it refers to, which would contain itself`,
    allowed: 'an alias to an anchor &name further up that has ended',
    next: 'write the value out',
  });
}
