/** Module hooks for importing a config: resolve `shakedown`, and load TypeScript without warnings. */
import { readFileSync } from 'node:fs';
import { type LoadFnOutput, type LoadHookContext, type ResolveFnOutput, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ownEntry } from '../../kernel/own-files.ts';
import { unresolvedImport } from './import-problems.ts';
import { normaliseText } from './read-text.ts';
import { stripTypes } from './strip-types.ts';

const ownIndex = pathToFileURL(ownEntry('index')).href;

export async function withConfigHooks<T>(work: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve): ResolveFnOutput => {
      try {
        return nextResolve(specifier === 'shakedown' ? ownIndex : specifier, context);
      } catch (error) {
        throw unresolvedImport(specifier, context.parentURL, error);
      }
    },
    load: (url, context, nextLoad) => loadUserModule(url, context) ?? nextLoad(url, context),
  });
  try {
    return await work();
  } finally {
    hooks.deregister();
  }
}

/** Without a `type` in package.json Node would guess and warn; a config and what it imports are modules. */
function loadUserModule(url: string, context: LoadHookContext): LoadFnOutput | undefined {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return undefined;
  const file = fileURLToPath(url.replace(/[?#].*$/, ''));
  const format = context.format ?? undefined;
  const isTypeScript = /\.m?ts$/.test(file) && (format === undefined || format === 'module-typescript');
  const isUndecided = file.endsWith('.js') && format === undefined;
  if (!isTypeScript && !isUndecided) return undefined;
  const text = normaliseText(readFileSync(file, 'utf8'));
  if (isUndecided && !/^\s*(?:import|export)\b/m.test(text)) return undefined;
  return { format: 'module', source: isTypeScript ? stripTypes(file, text) : text, shortCircuit: true };
}
