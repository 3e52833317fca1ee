/** The commands that a suite runs, of files and of flows alike, and the scripts that they name. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../../kernel/limits.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { type LintPlace, placeOfPart, slashed } from '../place-of-part.ts';
import { isOpen } from './literal-value.ts';
import type { SuiteModule } from './suite-modules.ts';

export interface SuiteCommand {
  readonly trial: Trial;
  readonly place: LintPlace;
  readonly argv: readonly string[];
  /** Everything in one text, with what goes to its standard input. */
  readonly text: string;
  /** It goes on beside the trial, which does not wait for it. */
  readonly stays: boolean;
  /** Where it runs. */
  readonly folder: string;
}

export interface SuiteScript {
  readonly file: string;
  readonly shown: string;
  readonly text: string;
  readonly command: SuiteCommand;
}

export function findCommands(
  system: System,
  trials: readonly Trial[],
  modules: readonly SuiteModule[],
): readonly SuiteCommand[] {
  return [
    ...trials.flatMap((trial) => commandsOfFile(trial, system)),
    ...modules.flatMap((module) => commandsOfModule(module)),
  ];
}

function commandsOfFile(trial: Trial, { folder }: System): readonly SuiteCommand[] {
  return trial.steps
    .filter(({ kind }) => kind === 'command')
    .map(({ name, spec, folder: own }) => {
      const argv = argvOf(spec.command);
      return {
        trial,
        place: placeOfPart(trial, { step: name }, folder),
        argv,
        text: [...argv, typeof spec.stdin === 'string' ? spec.stdin : ''].join(' '),
        stays: spec.stays === true,
        folder: typeof spec.cwd === 'string' ? path.resolve(own, spec.cwd) : own,
      };
    });
}

function commandsOfModule({ scan, shown, file, flows: [trial] }: SuiteModule): readonly SuiteCommand[] {
  if (!trial) return [];
  return scan.calls
    .filter(({ callee }) => callee === 'command' || callee.endsWith('.command'))
    .map(({ args: [written, options], line }) => {
      const argv = argvOf(written).filter((word) => !isOpen(word));
      const { stdin, stays } = (isOpen(options) ? {} : (options ?? {})) as Record<string, unknown>;
      return {
        trial,
        place: { file: shown, line },
        argv,
        text: [...argv, typeof stdin === 'string' ? stdin : ''].join(' '),
        stays: stays === true,
        folder: path.dirname(file),
      };
    });
}

/** One text is for the shell. */
function argvOf(written: unknown): readonly string[] {
  if (Array.isArray(written)) return written.filter((word) => typeof word === 'string');
  return typeof written === 'string' ? ['sh', '-c', written] : [];
}

const scriptName = /\.(?:py|js|mjs|cjs|ts|mts|sh|bash|rb|pl|sql|php|lua)$/;

/** Files of a few kinds that are named in a command and are there; each once. */
export function findScripts({ folder }: System, commands: readonly SuiteCommand[]): readonly SuiteScript[] {
  const found = new Map<string, SuiteScript>();
  for (const command of commands)
    for (const word of command.argv.flatMap((text) => text.split(/[\s'"`;&|<>()=]+/))) {
      const file = scriptName.test(word) ? path.resolve(command.folder, word) : undefined;
      if (file === undefined || found.has(file) || !isReadable(file)) continue;
      const shown = slashed(path.relative(folder, file));
      found.set(file, { file, shown, text: readFileSync(file, 'utf8'), command });
    }
  return [...found.values()];
}

function isReadable(file: string): boolean {
  return existsSync(file) && statSync(file).isFile() && statSync(file).size <= limits.configBytes;
}

/** The lines of a text that match, with their numbers from 1. */
export function linesLike(text: string, patterns: readonly RegExp[]): readonly LineLike[] {
  return text.split('\n').flatMap((content, index) => {
    const isComment = /^\s*(?:#|\/\/|--|\*|\/\*)/.test(content);
    if (isComment || !patterns.some((pattern) => pattern.test(content))) return [];
    return [{ line: index + 1, content: content.trim().slice(0, 120) }];
  });
}

export interface LineLike {
  readonly line: number;
  readonly content: string;
}
