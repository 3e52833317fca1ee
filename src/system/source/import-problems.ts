/** Explains why a config or a file that it imports could not be loaded. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { parseJavaScript } from './parse-javascript.ts';
import { fileAtHeadOfStack, firstUserFrame, headOfStack, readOrEmpty } from './stack-position.ts';
import { threwProblem } from './stray-problem.ts';

/** An unresolved `import`; anything but a missing file or package is returned unchanged. */
export function unresolvedImport(specifier: string, parentUrl: string | undefined, error: unknown): unknown {
  const { code } = error as { code?: string };
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT';
  if (!isMissing || !parentUrl?.startsWith('file:') || parentUrl.includes('/node_modules/')) return error;
  const importer = fileURLToPath(parentUrl.replace(/[?#].*$/, ''));
  const where = specifierPosition(importer, specifier);
  if (!/^\.{0,2}\//.test(specifier)) return missingPackage(specifier, where, error);
  const target = resolve(dirname(importer), specifier);
  const existing = withExtension(target);
  if (existing) return missingExtension(specifier, toSpecifier(importer, existing), where, error);
  return missingFile(specifier, target, importer, where, error);
}

/** A config that was found but did not load. */
export function importProblem(file: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const ranAlready = firstUserFrame(error) !== undefined;
  if (!(error instanceof SyntaxError) || ranAlready)
    return threwProblem(error, positionAt(file, readOrEmpty(file), 0));
  const missing = /requested module '(.+)' does not provide an export named '(.+)'/.exec(error.message);
  const source = fileAtHeadOfStack(error) ?? file;
  const where = headOfStack(error, source, readOrEmpty(source));
  if (!missing || !where) return syntax(file, where, error);
  return missingExport(source, missing[1] as string, missing[2] as string, where, error);
}

function missingExport(
  importer: string,
  specifier: string,
  name: string,
  found: SourcePosition,
  error: Error,
): Problem {
  const where = { ...found, length: name.length };
  if (!isType(importer, specifier, name)) {
    return new Problem({
      code: 'config.unknown-name',
      where,
      what: `'${specifier}' exports no \`${name}\``,
      allowed: 'a name that the file exports',
      next: `export it there, or correct the name`,
      cause: error,
    });
  }
  return new Problem({
    code: 'config.type-as-value',
    where,
    what: `\`${name}\` of '${specifier}' is a type, and is imported like a value`,
    allowed: 'types imported with `import type`, because types are erased before the file runs',
    next: `write \`import type { ${name} } from '${specifier}'\``,
    cause: error,
  });
}

function isType(importer: string, specifier: string, name: string): boolean {
  if (specifier === 'shakedown') return /^[A-Z]/.test(name);
  const target = resolve(dirname(importer), specifier);
  return (
    existsSync(target) &&
    new RegExp(`\\b(?:type|interface)\\s+${name}\\b|\\btype\\s*\\{[^}]*\\b${name}\\b`).test(
      readOrEmpty(target),
    )
  );
}

function missingExtension(
  specifier: string,
  existing: string,
  where: SourcePosition,
  cause: unknown,
): Problem {
  return new Problem({
    code: 'config.missing-extension',
    where,
    what: `'${specifier}' does not name a file`,
    allowed: `the whole name of the file, with its extension: '${existing}'`,
    next: `write '${existing}'`,
    cause,
  });
}

function missingFile(
  specifier: string,
  target: string,
  importer: string,
  where: SourcePosition,
  cause: unknown,
): Problem {
  const folder = dirname(target);
  const neighbours = existsSync(folder)
    ? readdirSync(folder).filter((name) => /\.(?:m?[jt]s|json)$/.test(name))
    : [];
  const guess = nearest(basename(target), neighbours);
  return new Problem({
    code: 'config.not-found',
    where,
    what: `'${specifier}' does not name a file`,
    allowed: 'a file that exists',
    next: guess
      ? `did you mean '${toSpecifier(importer, resolve(folder, guess))}'?`
      : `create ${target}, or remove the import`,
    cause,
  });
}

function missingPackage(specifier: string, where: SourcePosition, cause: unknown): Problem {
  return new Problem({
    code: 'config.not-found',
    where,
    what: `the package '${specifier}' is not installed where the config can see it`,
    allowed: "'shakedown', node's own modules (`node:…`), files (`./…`) and installed packages",
    next: `npm install ${specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')}`,
    cause,
  });
}

/** For plain JavaScript Node does not give the position, so the text is parsed once more. */
function syntax(file: string, position: SourcePosition | undefined, error: Error): Problem {
  const text = readOrEmpty(file);
  const faultAt = position === undefined ? parseJavaScript(text).faultAt : undefined;
  const isElsewhere = position === undefined && faultAt === undefined;
  return new Problem({
    code: 'config.syntax',
    where: position ?? positionAt(file, text, faultAt ?? 0),
    what: `${isElsewhere ? 'a file that this imports' : 'this'} is not JavaScript: ${error.message}`,
    allowed: 'an ECMAScript module',
    next: isElsewhere
      ? 'try each of the files that it imports: node --check <file>'
      : 'correct this line; an unclosed bracket or quote above it is the usual cause',
    cause: error,
  });
}

function specifierPosition(importer: string, specifier: string): SourcePosition {
  const text = readOrEmpty(importer);
  const offset = [`'${specifier}'`, `"${specifier}"`]
    .map((quoted) => text.indexOf(quoted))
    .find((found) => found >= 0);
  return positionAt(importer, text, offset ?? 0, offset === undefined ? 1 : specifier.length + 2);
}

function withExtension(target: string): string | undefined {
  const endings = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js', '.json'];
  const renamed = target.replace(/\.(m?)js$/, '.$1ts');
  return [...endings.map((ending) => target + ending), renamed].find(
    (candidate) => candidate !== target && existsSync(candidate),
  );
}

function toSpecifier(importer: string, target: string): string {
  const path = relative(dirname(importer), target);
  return path.startsWith('.') ? path : `./${path}`;
}
