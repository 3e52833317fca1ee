/** Finds a codec: a built-in one by its name, or a user's by the path of its module. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { Codec } from '../../protocols/codecs/codec.ts';
import { codecNames, findCodec } from '../../protocols/codecs/codec-registry.ts';
import { userCodec } from '../../protocols/codecs/user-codec.ts';

const isModulePath = /\.(?:m?[jt]s)$/;

/** Rejects with a Problem. A path is relative to the folder, which is that of the trial's file. */
export async function loadCodec(name: string, folder: string): Promise<Codec> {
  const known = findCodec(name);
  if (known) return known;
  if (!isModulePath.test(name)) throw unknownCodec(name);
  const file = path.resolve(folder, name);
  const exported = await importModule(name, file);
  const candidate = exported.default ?? exported.codec;
  const made = userCodec(candidate, name);
  if ('fault' in made) throw noCodec(name, file, made.fault, Object.keys(exported));
  return made.codec;
}

/** Node keeps every module that it has loaded; the hash makes a changed text another module. */
async function importModule(name: string, file: string): Promise<{ default?: unknown; codec?: unknown }> {
  if (!existsSync(file)) throw missingFile(name, file);
  try {
    const url = pathToFileURL(file);
    const text = await readFile(file);
    url.searchParams.set('shakedown', createHash('sha256').update(text).digest('hex').slice(0, 12));
    return (await import(url.href)) as object;
  } catch (error) {
    throw doesNotLoad(name, file, error);
  }
}

function unknownCodec(name: string): Problem {
  return new Problem({
    code: 'config.unknown-name',
    where: `codec ${name}`,
    what: `there is no codec \`${name}\``,
    allowed: `${codecNames.join(', ')}, or the path of a module of yours that ends with .ts, .js or .mjs`,
    next: didYouMean(name, codecNames, 'write one of these names, or `./my-codec.ts`'),
  });
}

function missingFile(name: string, file: string): Problem {
  return new Problem({
    code: 'config.not-found',
    where: `codec ${name}`,
    what: `there is no file ${file}`,
    allowed: 'a path relative to the folder of the trial',
    next: 'correct the path, or write the module there',
  });
}

function doesNotLoad(name: string, file: string, error: unknown): Problem {
  return new Problem({
    code:
      errorCode(error) === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
        ? 'config.unsupported-typescript'
        : 'config.threw',
    where: `codec ${name}`,
    what: `the module does not load: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
    allowed: 'an ECMAScript module, in JavaScript or in TypeScript whose types can simply be erased',
    next: `try it alone: node ${file}`,
    cause: error,
  });
}

function noCodec(name: string, file: string, fault: string, names: readonly string[]): Problem {
  return new Problem({
    code: 'config.missing-key',
    where: `codec ${name}`,
    what: `${file} exports no codec: ${fault}`,
    allowed:
      'a default export, or one named `codec`: { encode(message), createDecoder() } or { encode(message), createCutter() }',
    next: 'see docs/guides/write-your-own.md for one to copy',
    evidence: [`it exports: ${names.length === 0 ? 'nothing' : names.join(', ')}`],
  });
}
