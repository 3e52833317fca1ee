/** Parses an ECMAScript module, or says where that fails. */
import { createRequire } from 'node:module';
import type { ModuleDeclaration, Statement } from 'acorn';

export interface ParsedJavaScript {
  readonly statements: readonly (Statement | ModuleDeclaration)[];
  /** The offset at which the text stops being JavaScript. */
  readonly faultAt?: number;
}

export function parseJavaScript(text: string): ParsedJavaScript {
  // Only a config with a problem is ever parsed: then at once, in the middle of telling it.
  const { parse } = createRequire(import.meta.url)('acorn') as typeof import('acorn');
  try {
    return {
      statements: parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }).body,
    };
  } catch (error) {
    return { statements: [], faultAt: (error as { pos?: number }).pos ?? 0 };
  }
}
