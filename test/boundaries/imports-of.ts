/** What a file imports: from where, on which line, and whether anything but types. */
import type { AnyNode } from 'acorn';
import { parseSource, walk } from '../harness/typescript-source.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Erased before the program runs. */
  readonly typesOnly: boolean;
}

const typeImport = /\b(?:import|export)\s+type\s+(?:[\w*\s]+|\{[^}]*\})\s+from\s+['"]([^'"]+)['"]/g;
const inlineType = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

export function importsOf(file: string, text: string): readonly Import[] {
  const source = parseSource(file, text);
  const found: Import[] = [];
  walk(source.program, (node) => {
    const specifier = importedBy(node);
    if (specifier !== undefined) found.push({ specifier, line: source.lineAt(node.start), typesOnly: false });
  });
  for (const pattern of [typeImport, inlineType]) {
    for (const match of source.types.matchAll(pattern)) {
      found.push({ specifier: match[1] as string, line: source.lineAt(match.index), typesOnly: true });
    }
  }
  return found.sort((a, b) => a.line - b.line);
}

function importedBy(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return node.source?.type === 'Literal' ? String(node.source.value) : undefined;
    default:
      return undefined;
  }
}
