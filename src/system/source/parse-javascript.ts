/** Parses an ECMAScript module, or says where that fails. */
import { type ModuleDeclaration, parse, type Statement } from 'acorn';

export interface ParsedJavaScript {
  readonly statements: readonly (Statement | ModuleDeclaration)[];
  /** The offset at which the text stops being JavaScript. */
  readonly faultAt?: number;
}

export function parseJavaScript(text: string): ParsedJavaScript {
  try {
    return {
      statements: parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }).body,
    };
  } catch (error) {
    return { statements: [], faultAt: (error as { pos?: number }).pos ?? 0 };
  }
}
