/** Makes a job or service ready to start: its folders, its rendered files, its command line and variables filled in. */
import type { ProgramSpec } from '../system/system.ts';
import type { EnvironmentContext } from './environment-context.ts';
import { hermeticEnv, makeOwnFolders } from './wiring/hermetic-env.ts';
import { createLookup } from './wiring/lookup.ts';
import { renderFile } from './wiring/render-files.ts';
import { type Lookup, resolveText } from './wiring/resolve.ts';

export interface PreparedProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lookup: Lookup;
}

export function prepareProgram(
  context: EnvironmentContext,
  spec: ProgramSpec & { kind: 'job' | 'service' },
  ports: ReadonlyMap<string, number>,
  portVariables: Readonly<Record<string, string>>,
): PreparedProgram {
  const where = `${spec.kind} ${spec.name}`;
  const folders = makeOwnFolders(context.workspace, spec.name);
  const lookup = createLookup(context, { kind: spec.kind, name: spec.name }, { folders, ports });
  for (const file of spec.files) {
    const rendered = renderFile(file, folders.dir, lookup, where);
    context.emit({ type: 'file.rendered', name: spec.name, file: rendered.file, bytes: rendered.bytes });
  }
  const declared = Object.entries(spec.env).map(([name, text]) => [
    name,
    resolveText(text, lookup, `${where}, env ${name}`),
  ]);
  return {
    argv: spec.run.map((text) => resolveText(text, lookup, `${where}, run`)),
    cwd: resolveText(spec.cwd, lookup, `${where}, cwd`),
    env: {
      ...hermeticEnv(context.hostEnv, folders, context.label),
      ...portVariables,
      ...(Object.fromEntries(declared) as Record<string, string>),
    },
    lookup,
  };
}
