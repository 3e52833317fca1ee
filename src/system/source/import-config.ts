/** Imports a config module in this process and returns its default export, or says why that failed. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../kernel/clock.ts';
import { limits } from '../../kernel/limits.ts';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';
import { positionAt } from '../../kernel/source-position.ts';
import { withConfigHooks } from './config-hooks.ts';
import { importProblem } from './import-problems.ts';
import { readText } from './read-text.ts';

/** Wrapped in an object, because an exported promise must not be awaited implicitly. */
export async function importConfig(file: string, text: string): Promise<{ readonly exported: unknown }> {
  await refuseCommonJs(file);
  const imported = await importFresh(file, text);
  if (!Object.hasOwn(imported, 'default')) throw noDefault(file, text, Object.keys(imported));
  return { exported: imported.default };
}

/** Node caches every loaded module; the hash makes a changed text another module. */
async function importFresh(file: string, text: string): Promise<{ default?: unknown }> {
  const url = pathToFileURL(file);
  url.searchParams.set('shakedown', createHash('sha256').update(text).digest('hex').slice(0, 12));
  const timer = new AbortController();
  const tooSlow = systemClock.sleep(limits.configImportMs, timer.signal).then(
    () => Promise.reject(neverLoads(file)),
    () => ({}),
  );
  try {
    const imported: Promise<object> = withConfigHooks(() => import(url.href));
    return await Promise.race([imported, tooSlow]);
  } catch (error) {
    throw importProblem(file, error);
  } finally {
    timer.abort();
  }
}

/** A user module of any purpose. */
export async function refuseCommonJs(file: string): Promise<void> {
  if (!/\.[jt]s$/.test(file)) return;
  const manifest = nearestPackageJson(dirname(file));
  if (manifest === undefined) return;
  const codes = { absent: 'config.not-found', unreadable: 'config.unreadable' } as const;
  const text = await readText(manifest, { noun: 'package.json', ...codes });
  const match = /"type"\s*:\s*"commonjs"/.exec(text);
  if (!match || typeOf(text) !== 'commonjs') return;
  throw new Problem({
    code: 'config.module-type',
    where: positionAt(manifest, text, match.index, match[0].length),
    what: `this makes ${file} a CommonJS file, in which \`import\` and \`export\` do not work`,
    allowed: 'a config that is an ECMAScript module',
    next: `rename the config to ${file.replace(/\.([jt]s)$/, '.m$1')}, or write "type": "module" here`,
  });
}

/** A package.json that is not JSON is left for Node to report. */
function typeOf(packageJson: string): unknown {
  return orElse(() => JSON.parse(packageJson) as { type?: unknown } | null, null)?.type;
}

function nearestPackageJson(folder: string): string | undefined {
  const candidate = join(folder, 'package.json');
  if (existsSync(candidate)) return candidate;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestPackageJson(parent);
}

function noDefault(file: string, text: string, names: readonly string[]): Problem {
  const offset = Math.max(0, text.search(/^export\b/m));
  return new Problem({
    code: 'config.missing-key',
    where: positionAt(file, text, offset, 6),
    what:
      names.length > 0
        ? `the config exports ${names.map((name) => `\`${name}\``).join(', ')}, but no default`
        : 'the config exports nothing',
    allowed: 'one default export: the system',
    next: 'write `export default defineSystem({ … })`',
  });
}

function neverLoads(file: string): Problem {
  return new Problem({
    code: 'config.threw',
    where: file,
    what: `the config has not loaded after ${limits.configImportMs / 1000} s; something in it waits for ever`,
    allowed: 'a config that loads at once; it is data, so it needs no work of its own',
    next: 'look for a top-level `await` in it and in the files that it imports',
  });
}
