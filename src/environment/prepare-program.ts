/** Prepares the start of a job or service: folders, rendered files, command line and variables. */
import path from 'node:path';
import type { ProgramSpec } from '../system/system.ts';
import type { EnvironmentContext } from './environment-context.ts';
import { createLookup } from './lookup.ts';
import { withPython } from './python/python-program.ts';
import { hermeticEnv, makeOwnFolders } from './wiring/hermetic-env.ts';
import { type Lookup, resolveText } from './wiring/resolve.ts';

export interface PreparedProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lookup: Lookup;
}

export async function prepareProgram(
  context: EnvironmentContext,
  spec: ProgramSpec & { kind: 'job' | 'service' },
  ports: ReadonlyMap<string, number>,
  portVariables: Readonly<Record<string, string>>,
): Promise<PreparedProgram> {
  const where = `${spec.kind} ${spec.name}`;
  const folders = makeOwnFolders(context.workspace, spec.name);
  const lookup = createLookup(context, { kind: spec.kind, name: spec.name }, { folders, ports });
  await renderFiles(context, spec, folders.dir, lookup);
  const declared = Object.entries(spec.env).map(([name, text]) => [
    name,
    resolveText(text, lookup, `${where}, env ${name}`),
  ]);
  const program = {
    argv: spec.run.map((text) => resolveText(text, lookup, `${where}, run`)),
    cwd: resolveText(spec.cwd, lookup, `${where}, cwd`),
    env: {
      ...hermeticEnv(context.hostEnv, folders, context.label),
      ...portVariables,
      ...(Object.fromEntries(declared) as Record<string, string>),
    },
    lookup,
  };
  return withPython(context, spec.python, program, `${where}, phase start`);
}

/** The YAML and TOML parsers are loaded only when there is something to render. */
export async function renderFiles(
  context: EnvironmentContext,
  spec: ProgramSpec & { kind: 'job' | 'service' },
  folder: string,
  lookup: Lookup,
  mode = 0o600,
): Promise<void> {
  if (spec.files.length === 0) return;
  const { renderFile } = await import('./wiring/render-files.ts');
  for (const wanted of spec.files) {
    const where = `${spec.kind} ${spec.name}`;
    const { file, bytes } = renderFile(wanted, folder, path.dirname(context.workspace), lookup, where, mode);
    context.emit({ type: 'file.rendered', name: spec.name, file, bytes });
  }
}
