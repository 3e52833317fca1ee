/** The setup that must run once before the daemon starts: it writes the skills into the data folder. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log, reasonOf } from './log.ts';
import { readDataFolder } from './settings.ts';
import { readSkill, setupMark, skillFiles } from './skills.ts';

const shipped = join(import.meta.dirname, '..', 'skills');

try {
  const dataFolder = readDataFolder(process.env);
  const skills = skillFiles(shipped).map((file) => readSkill(readFileSync(join(shipped, file), 'utf8')).name);
  mkdirSync(dataFolder, { recursive: true });
  rmSync(join(dataFolder, setupMark), { force: true });
  cpSync(shipped, join(dataFolder, 'skills'), { recursive: true });
  writeFileSync(join(dataFolder, setupMark), `${JSON.stringify({ skills })}\n`);
  log.info(`setup wrote ${skills.length} skills to ${dataFolder}: ${skills.join(', ')}`);
} catch (error) {
  log.error(`setup failed: ${reasonOf(error)}`);
  process.exit(1);
}
