/** Parses an ECMAScript module, or returns where that failed. */
import { createRequire } from 'node:module';
import type { ModuleDeclaration, Statement } from 'acorn';

export interface ParsedJavaScript {
  readonly statements: readonly (Statement | ModuleDeclaration)[];
  /** The offset at which the text stops being JavaScript. */
  readonly faultAt?: number;
}

export function parseJavaScript(text: string): ParsedJavaScript {
  // Loaded on demand and synchronously: only a config with a problem is ever parsed, while that is reported.
  const { parse } = createRequire(import.meta.url)('acorn') as typeof import('acorn');
  try {
    return {
      statements: parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }).body,
    };
  } catch (error) {
    return { statements: [], faultAt: (error as { pos?: number }).pos ?? 0 };
  }
}
