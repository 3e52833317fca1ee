/** Where a runner's reports are expected, and which of them it wrote this time. */
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JunitSources } from '../../../journal/observation.ts';
import { absentOn } from '../../../kernel/system-error.ts';
import { globFiles } from '../../../system/source/glob-files.ts';
import { observeLimits } from './observe-limits.ts';
import { type JunitReport, parseJunit } from './parse-junit.ts';

interface JunitPlaces {
  /** Files, folders and globs, relative to the folder in which the command runs; empty if none were given. */
  readonly patterns: readonly string[];
  readonly cwd: string;
  /** The path that the command is offered; used if there are no patterns. */
  readonly offered: string;
  /** The command line contains that path, so a report is expected there. */
  readonly isNamed: boolean;
}

/** Call before the command: a report of an earlier run must not count. */
export async function openJunitSource(places: JunitPlaces) {
  const asked = places.patterns.length > 0 || places.isNamed;
  const { found: before } = await findReports(places);
  return {
    /** After the command: only reports that it wrote itself count. */
    read: async () => {
      const { found, missing } = await findReports(places);
      const reports: JunitReport[] = [];
      const files: string[] = [];
      const faults = [...missing];
      if (found.size > observeLimits.junitFiles)
        faults.push(
          `${places.patterns.join(', ') || places.offered}: more than ${observeLimits.junitFiles} files`,
        );
      for (const [file, state] of [...found].slice(0, observeLimits.junitFiles)) {
        const shown = shownPath(file, places.cwd);
        if (before.get(file) === state) {
          faults.push(`${shown}: it existed before, and the command did not write it`);
          continue;
        }
        const report = await readReport(file);
        files.push(shown);
        if (report.fault !== undefined) faults.push(`${shown}: ${report.fault}`);
        reports.push(report);
      }
      const sources: JunitSources = { files, faults, asked };
      return { reports, sources };
    },
  };
}

async function findReports({ patterns, cwd, offered, isNamed }: JunitPlaces) {
  const found = new Map<string, string>();
  // One for each named place without a report: the missing report may be the one with the failure.
  const missing: string[] = [];
  for (const pattern of patterns.length > 0 ? patterns : [offered]) {
    const { isFolder, files } = await filesOf(pattern, cwd);
    for (const { file, state } of files) found.set(file, state);
    if (found.size > observeLimits.junitFiles) return { found, missing };
    if (files.length > 0) continue;
    const shown = shownPath(path.resolve(cwd, pattern), cwd);
    if (isFolder) missing.push(`${shown}: there is no *.xml in this folder`);
    // A report at the offered path is optional.
    else if (patterns.length > 0) missing.push(`${pattern}: there is no such file`);
    else if (isNamed) missing.push(`${shown}: the command line names it, but the command did not write it`);
  }
  return { found: new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1))), missing };
}

interface FoundFile {
  readonly file: string;
  readonly state: string;
}

/** An existing path is that file, or the reports in that folder; anything else is a glob. */
async function filesOf(pattern: string, cwd: string) {
  const plain = path.resolve(cwd, pattern);
  const isFolder = (await factsOf(plain))?.isDirectory() ?? false;
  const single = await foundFile(plain);
  if (single) return { isFolder, files: [single] };
  const files: FoundFile[] = [];
  for await (const file of isFolder ? globFiles(['*.xml'], plain) : globFiles([pattern], cwd)) {
    const one = await foundFile(file);
    if (one) files.push(one);
    if (files.length > observeLimits.junitFiles) break;
  }
  return { isFolder, files };
}

async function foundFile(file: string): Promise<FoundFile | undefined> {
  const facts = await factsOf(file);
  return facts?.isFile() ? { file, state: `${facts.mtimeMs} ${facts.size} ${facts.ino}` } : undefined;
}

async function factsOf(file: string): Promise<Stats | undefined> {
  return stat(file).catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP'));
}

async function readReport(file: string): Promise<JunitReport> {
  const facts = await stat(file);
  if (facts.size > observeLimits.junitBytes)
    return { suites: [], tests: [], fault: `it has ${facts.size} bytes, which exceeds the limit` };
  return parseJunit(await readFile(file, 'utf8'));
}

function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
}
