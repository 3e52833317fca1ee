/** Skills: how to answer each kind of message. Setup writes them into a folder, the daemon loads them from there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { log, reasonOf } from './log.ts';
import { field, textAt } from './wire/message.ts';
import { readSexp } from './wire/sexp.ts';

export interface Skill {
  readonly name: string;
  /** The words that trigger it. */
  readonly triggers: readonly string[];
  /** The instruction that the provider gets. */
  readonly instruction: string;
}

export interface Skills {
  readonly all: readonly Skill[];
  /** Files that do not contain a skill. */
  readonly failed: readonly string[];
  find(text: string): Skill | undefined;
}

/** Written by setup as its last step; without it the folder may be incomplete. */
export const setupMark = 'setup.json';

export function loadSkills(dataFolder: string): Skills {
  if (!existsSync(join(dataFolder, setupMark))) {
    throw new Error(`there are no skills in ${dataFolder}: run setup first (node src/setup.ts)`);
  }
  const folder = join(dataFolder, 'skills');
  const all: Skill[] = [];
  const failed: string[] = [];
  for (const file of skillFiles(folder)) {
    try {
      all.push(readSkill(readFileSync(join(folder, file), 'utf8')));
    } catch (error) {
      failed.push(file);
      log.error(`skill ${file} cannot be loaded: ${reasonOf(error)}`);
    }
  }
  return createSkills(all, failed);
}

export function createSkills(all: readonly Skill[], failed: readonly string[]): Skills {
  return {
    all,
    failed,
    find(text) {
      const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return all.find(({ triggers }) => triggers.some((trigger) => words.includes(trigger)));
    },
  };
}

export function skillFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sexp'))
    .sort();
}

export function readSkill(text: string): Skill {
  const read = readSexp(text);
  const name = textAt(read, 'NAME');
  const instruction = textAt(read, 'INSTRUCTION');
  const triggers = field(read, 'TRIGGERS');
  if (name === undefined || instruction === undefined || !isTextList(triggers)) {
    throw new Error('a skill has :NAME, :TRIGGERS (a list of texts) and :INSTRUCTION');
  }
  return { name, triggers, instruction };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
