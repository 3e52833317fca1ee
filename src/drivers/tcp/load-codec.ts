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
  const where = `codec ${name}`;
  if (!isModulePath.test(name))
    throw new Problem({
      code: 'config.unknown-name',
      where,
      what: `there is no codec \`${name}\``,
      allowed: `${codecNames.join(', ')}, or the path of a module of yours that ends with .ts, .js or .mjs`,
      next: didYouMean(name, codecNames, 'write one of these names, or `./my-codec.ts`'),
    });
  const file = path.resolve(folder, name);
  const exported = await importModule(where, file);
  const made = userCodec(exported.default ?? exported.codec, name);
  if ('codec' in made) return made.codec;
  throw new Problem({
    code: 'config.missing-key',
    where,
    what: `${file} exports no codec: ${made.fault}`,
    allowed:
      'a default export, or one named `codec`: { encode(message), createDecoder() } or { encode(message), createCutter() }',
    next: 'see docs/guides/write-your-own.md for one to copy',
    evidence: [`it exports: ${Object.keys(exported).join(', ') || 'nothing'}`],
  });
}

/** Node keeps every module that it has loaded; the hash makes a changed text another module. */
async function importModule(where: string, file: string): Promise<{ default?: unknown; codec?: unknown }> {
  if (!existsSync(file))
    throw new Problem({
      code: 'config.not-found',
      where,
      what: `there is no file ${file}`,
      allowed: 'a path relative to the folder of the trial',
      next: 'correct the path, or write the module there',
    });
  try {
    const url = pathToFileURL(file);
    const text = await readFile(file);
    url.searchParams.set('shakedown', createHash('sha256').update(text).digest('hex').slice(0, 12));
    return (await import(url.href)) as object;
  } catch (error) {
    const isErasable = errorCode(error) !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';
    throw new Problem({
      code: isErasable ? 'config.threw' : 'config.unsupported-typescript',
      where,
      what: `the module does not load: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
      allowed: 'an ECMAScript module, in JavaScript or in TypeScript whose types can simply be erased',
      next: `try it alone: node ${file}`,
      cause: error,
    });
  }
}
