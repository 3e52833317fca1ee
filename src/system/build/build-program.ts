/** Turns one job or service, as written and checked, into its part of the system. */
import { extname, resolve } from 'node:path';
import { defined } from '../../kernel/defined.ts';
import { durationMs } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { escapeReferences } from '../../kernel/references.ts';
import type { FileDocument } from '../document/program-document.ts';
import type { JobDraft, ProgramDraft, ServiceDraft, TemplateDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { FileSpec, JobSpec, ProgramSpec, ServiceSpec } from '../system.ts';
import { buildContainer, isContainer } from './build-container.ts';
import { listenersAt } from './build-listen.ts';
import { buildReady } from './build-ready.ts';
import { buildRun, isPython } from './build-run.ts';

export interface ProgramSurroundings {
  readonly folder: string;
  readonly source: ConfigSource;
  /** Names that must be ready first, with rosters expanded and resources that are referred to. */
  readonly after: readonly string[];
  /** The names of a service's listeners, the first first; undefined for what is no service. */
  readonly listeners: (service: string) => readonly string[] | undefined;
}

export function buildJob(draft: JobDraft, surroundings: ProgramSurroundings): JobSpec {
  const { within, inputs, again } = draft.document;
  return {
    kind: 'job',
    ...buildProgram(draft, surroundings),
    withinMs: durationMs(within, limits.jobWithinMs),
    inputs: inputs ?? [],
    ...defined({ again }),
  };
}

export function buildService(draft: ServiceDraft, surroundings: ProgramSurroundings): ServiceSpec {
  const { shims, ready, stop, reset, at, allow } = draft.document;
  const listen = listenersAt(draft.document);
  return {
    kind: 'service',
    ...(draft.member ? { roster: draft.member.roster, it: draft.member.it } : {}),
    ...buildProgram(draft, surroundings),
    listen,
    ...(shims === undefined ? {} : buildShims(shims)),
    ready:
      draft.compose && ready === undefined
        ? draft.compose.ready
        : buildReady(ready, listen, isContainer(draft.document)),
    stop: {
      withinMs: durationMs(stop?.within, limits.stopWithinMs),
      ...defined({
        signal: stop?.signal as NodeJS.Signals | undefined,
        to: stop?.to ?? (isPython(draft.document.run) ? ('main' as const) : undefined),
      }),
    },
    ...defined({ reset, attached: at === undefined ? undefined : { allow: allow ?? {} } }),
  };
}

function buildProgram(
  draft: ProgramDraft,
  { folder, source, after, listeners }: ProgramSurroundings,
): ProgramSpec {
  const { run, cwd, env, files } = draft.document;
  return {
    name: draft.name,
    ...buildRun(run),
    ...(isContainer(draft.document)
      ? { container: draft.compose?.container ?? buildContainer(draft, listeners, folder, source) }
      : {}),
    cwd: isContainer(draft.document) ? '/' : absolute(folder, cwd ?? '.'),
    env: Object.fromEntries(
      Object.entries(env ?? {}).map(([key, value]) => [key, asWritten(value, draft, key, source)]),
    ),
    files: draft.templates.map((template) => toFile(template, files?.[template.to])),
    after,
  };
}

/** A number keeps its zeros and digits: `0755` and `1.10` arrive as written in the YAML. */
function asWritten(
  value: string | number | boolean,
  draft: ProgramDraft,
  key: string,
  source: ConfigSource,
): string {
  if (typeof value === 'string') return value;
  return source.written([...draft.path, 'env', key]) ?? String(value);
}

function absolute(folder: string, cwd: string): string {
  return cwd.startsWith('${') ? cwd : resolve(escapeReferences(folder), cwd);
}

function toFile(template: TemplateDraft, document: FileDocument | undefined): FileSpec {
  const isVerbatim = template.file !== undefined && template.text === template.written;
  return {
    to: template.to,
    format: document?.format ?? formatOf(template.to),
    template: isVerbatim ? { file: template.file } : { text: template.text },
  };
}

function formatOf(to: string): FileSpec['format'] {
  const extension = extname(to).slice(1).toLowerCase();
  if (extension === 'yml') return 'yaml';
  if (extension === 'toml' || extension === 'yaml' || extension === 'json') return extension;
  return extension === 'env' || /(?:^|\/)\.env(?:\..*)?$/.test(to) ? 'env' : 'text';
}

function buildShims(
  shims: NonNullable<ServiceDraft['document']['shims']>,
): Pick<ServiceSpec, 'shims' | 'stdioTools'> {
  const programs = Object.entries(shims).map(([end, shim]) => [end, programOf(shim)] as const);
  const talking = Object.entries(shims).flatMap(([end, shim]) => (typeof shim === 'string' ? [] : [end]));
  return {
    shims: Object.fromEntries(programs),
    ...(talking.length === 0 ? {} : { stdioTools: talking }),
  };
}

/** The program that a shim wraps. */
export function programOf(shim: string | { readonly program: string }): string {
  return typeof shim === 'string' ? shim : shim.program;
}
