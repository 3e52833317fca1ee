/** Strips the types from TypeScript source; every position stays the same. */
import module from 'node:module';
import { Problem } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { withoutWarnings } from '../../kernel/without-warnings.ts';
import { headOfStack } from './stack-position.ts';

export function stripTypes(file: string, text: string): string {
  try {
    return withoutWarnings(() => module.stripTypeScriptTypes(text, { mode: 'strip' }));
  } catch (error) {
    throw strippingProblem(file, text, error);
  }
}

function strippingProblem(file: string, text: string, error: unknown): Problem {
  const { code, message } = error as { code?: string; message: string };
  const where: SourcePosition = headOfStack(error, file, text) ?? positionAt(file, text, 0);
  if (code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    return new Problem({
      code: 'config.syntax',
      where,
      what: `this is not TypeScript: ${message}`,
      allowed: 'TypeScript that the compiler accepts',
      next: 'correct this line; an unclosed bracket or quote above it is the usual cause',
      cause: error,
    });
  }
  return new Problem({
    code: 'config.unsupported-typescript',
    where,
    what: message,
    allowed:
      'TypeScript whose types can simply be erased: no enum, namespace, parameter property, `import x = require()` or `<T>value`',
    next: erasableAlternative(message),
    cause: error,
  });
}

function erasableAlternative(message: string): string {
  if (message.includes('enum')) return "use an object: const Colour = { red: 'red' } as const";
  if (message.includes('parameter property'))
    return 'declare the field in the class and assign it in the constructor';
  if (message.includes('namespace') || message.includes('module'))
    return 'use a module of its own, or an object';
  if (message.includes('import equals')) return "write import x from 'y'";
  if (message.includes('angle-bracket')) return 'write `value as T`';
  return 'write it in plain JavaScript; set `erasableSyntaxOnly` in tsconfig.json to see this in the editor';
}
