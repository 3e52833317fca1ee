/** The modules of a suite: its flows, and what they import from the suite's own folders. Other imports are reported. */
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { globBase } from '../../../patterns/glob-expression.ts';
import { readText } from '../../../system/source/read-text.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { inTrial, type Place } from '../rule.ts';
import { type ModuleScan, scanModule } from './scan-module.ts';

export interface SuiteModule {
  /** Absolute. */
  readonly file: string;
  /** Relative to the folder of the config. */
  readonly shown: string;
  readonly scan: ModuleScan;
  readonly outside: readonly OutsideImport[];
  /** The flows that reach it. */
  readonly flows: readonly Trial[];
}

/** A module that belongs neither to us, nor to Node, nor to the suite. */
interface OutsideImport {
  readonly specifier: string;
  readonly line: number;
  /** The path of a file, relative to the folder of the config, or the name of a package. */
  readonly module: string;
}

/** The place of a line, with the first flow that reaches it. */
export function inModule({ shown, flows: [flow] }: SuiteModule, line: number): Place {
  return { ...(flow ? inTrial(flow) : {}), file: shown, line };
}

const mostModules = 2_000;

export async function findSuiteModules(
  system: System,
  trials: readonly Trial[],
): Promise<readonly SuiteModule[]> {
  const ofFlows = trials.filter(({ record }) => record.kind === 'flow');
  const isOwn = suiteFolders(system);
  const found = new Map<string, SuiteModule>();
  const waiting = [...Map.groupBy(ofFlows, ({ file }) => file)].map(([file, flows]) => ({ file, flows }));
  for (let next = waiting.shift(); next && found.size < mostModules; next = waiting.shift()) {
    if (found.has(next.file)) continue;
    const { module, followed } = await readModule(next.file, next.flows, system, isOwn);
    found.set(next.file, module);
    waiting.push(...followed.map((file) => ({ file, flows: next?.flows ?? [] })));
  }
  return [...found.values()];
}

/** Folders that contain only the suite: those named by `trials`, and `shakedown/`. */
export function suiteFolders({ folder, trials }: System): (file: string) => boolean {
  const named = trials.map(globBase).filter((base) => base !== '' && !base.startsWith('..'));
  const folders = [...named, 'shakedown'].map((name) => path.join(folder, name));
  return (file) => isInside(file, folders);
}

export function isInside(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
}

async function readModule(
  file: string,
  flows: readonly Trial[],
  { folder }: System,
  isOwn: (file: string) => boolean,
) {
  const text = await readText(file, {
    noun: 'module of the suite',
    absent: 'trial.unreadable',
    unreadable: 'trial.unreadable',
  });
  const scan = scanModule(file, text);
  const outside: OutsideImport[] = [];
  const followed: string[] = [];
  for (const { specifier, line } of scan.imports) {
    if (isOursOrNodes(specifier)) continue;
    const target = isPath(specifier) ? path.resolve(path.dirname(file), fromUrl(specifier)) : undefined;
    if (target !== undefined && isOwn(target)) {
      if (/\.[mc]?[jt]s$/.test(target) && existsSync(target)) followed.push(target);
    } else {
      const module = target === undefined ? specifier : path.relative(folder, target);
      outside.push({ specifier, line, module });
    }
  }
  const shown = path.relative(folder, file);
  return { module: { file, shown, scan, outside, flows }, followed };
}

function isOursOrNodes(specifier: string): boolean {
  return (
    specifier === 'shakedown' ||
    specifier.startsWith('shakedown/') ||
    specifier.startsWith('node:') ||
    builtinModules.includes(specifier)
  );
}

function isPath(specifier: string): boolean {
  return /^(?:\.{0,2}\/|file:)/.test(specifier);
}

function fromUrl(specifier: string): string {
  return specifier.startsWith('file:') ? new URL(specifier).pathname : specifier;
}
