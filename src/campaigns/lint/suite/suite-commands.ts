/** The commands that a suite runs, from trial files and flows, and the scripts that they name. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../../kernel/limits.ts';
import { stepKind } from '../../../kinds/step-kinds.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { inTrial, type Place } from '../rule.ts';
import { isOpen } from './scan-module.ts';
import { inModule, type SuiteModule } from './suite-modules.ts';

export interface SuiteCommand {
  readonly place: Place;
  readonly argv: readonly string[];
  /** The whole command line, with its standard input. */
  readonly text: string;
  /** It runs in the background; the trial does not wait for it. */
  readonly stays: boolean;
  /** Where it runs. */
  readonly folder: string;
}

export interface SuiteScript {
  /** Absolute. */
  readonly file: string;
  /** Its first line, with the trial that runs it. */
  readonly place: Place;
  readonly text: string;
}

export function findCommands(
  { folder }: System,
  trials: readonly Trial[],
  modules: readonly SuiteModule[],
): readonly SuiteCommand[] {
  const inFiles = trials.flatMap((trial) =>
    trial.steps
      .filter(({ kind }) => stepKind(kind).startsProgram)
      .map(({ name, kind, spec, folder: own }) =>
        commandOf(
          inTrial(trial, folder, { step: name }),
          argvOf(spec[kind]),
          spec,
          typeof spec.cwd === 'string' ? path.resolve(own, spec.cwd) : own,
        ),
      ),
  );
  const inFlows = modules
    .filter(({ flows }) => flows.length > 0)
    .flatMap((module) =>
      module.scan.calls
        .filter(({ callee }) => callee === 'command' || callee.endsWith('.command'))
        .map(({ args: [written, options], line }) =>
          commandOf(
            inModule(module, line),
            argvOf(written).filter((word) => !isOpen(word)),
            isOpen(options) ? {} : (options ?? {}),
            path.dirname(module.file),
          ),
        ),
    );
  return [...inFiles, ...inFlows];
}

function commandOf(
  place: Place,
  argv: readonly string[],
  { stdin, stays }: { readonly stdin?: unknown; readonly stays?: unknown },
  folder: string,
): SuiteCommand {
  const text = [...argv, typeof stdin === 'string' ? stdin : ''].join(' ');
  return { place, argv, text, stays: stays === true, folder };
}

/** A single text is for the shell. */
function argvOf(written: unknown): readonly string[] {
  if (Array.isArray(written)) return written.filter((word) => typeof word === 'string');
  return typeof written === 'string' ? ['sh', '-c', written] : [];
}

const scriptName = /\.(?:py|js|mjs|cjs|ts|mts|sh|bash|rb|pl|sql|php|lua)$/;

/** Existing files of a few kinds that are named in a command; each once. */
export function findScripts({ folder }: System, commands: readonly SuiteCommand[]): readonly SuiteScript[] {
  const found = new Map<string, SuiteScript>();
  for (const command of commands)
    for (const word of command.argv.flatMap((text) => text.split(/[\s'"`;&|<>()=]+/))) {
      const file = scriptName.test(word) ? path.resolve(command.folder, word) : undefined;
      if (file === undefined || found.has(file) || !isReadable(file)) continue;
      const place = { ...command.place, file: path.relative(folder, file), line: 1 };
      found.set(file, { file, place, text: readFileSync(file, 'utf8') });
    }
  return [...found.values()];
}

function isReadable(file: string): boolean {
  return existsSync(file) && statSync(file).isFile() && statSync(file).size <= limits.configBytes;
}
