/** Where a runner's reports are expected, and which of them it really wrote this time. */
import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JunitSources } from '../../../journal/observation.ts';
import { absentOn } from '../../../kernel/system-error.ts';
import { observeLimits } from '../observe-limits.ts';
import { type JunitReport, parseJunit } from './parse-junit.ts';

export interface JunitSource {
  /** After the command: only what it wrote itself counts. */
  read(): Promise<JunitReading>;
}

export interface JunitReading {
  readonly reports: readonly JunitReport[];
  readonly sources: JunitSources;
}

export interface JunitPlaces {
  /** Files, folders and globs, relative to the folder in which the command runs; empty when nobody named any. */
  readonly patterns: readonly string[];
  readonly cwd: string;
  /** The path that the command is offered; counts when no patterns are given. */
  readonly offered: string;
}

/** To be called before the command: a report of yesterday is no report of today. */
export async function openJunitSource(places: JunitPlaces): Promise<JunitSource> {
  const asked = places.patterns.length > 0;
  const find = async (): Promise<ReadonlyMap<string, string>> => findReports(places);
  const before = await find();
  return {
    read: async () => {
      const found = await find();
      const reports: JunitReport[] = [];
      const files: string[] = [];
      const faults: string[] = [];
      if (found.size > observeLimits.junitFiles)
        faults.push(`${places.patterns.join(', ')}: more than ${observeLimits.junitFiles} files`);
      for (const [file, state] of [...found].slice(0, observeLimits.junitFiles)) {
        const shown = shownPath(file, places.cwd);
        if (before.get(file) === state) {
          faults.push(`${shown}: it was there before, and the command did not write it`);
          continue;
        }
        const report = await readReport(file);
        files.push(shown);
        if (report.fault !== undefined) faults.push(`${shown}: ${report.fault}`);
        reports.push(report);
      }
      if (asked && found.size === 0) faults.push(`${places.patterns.join(', ')}: there is no such file`);
      return { reports, sources: { files, faults, asked } };
    },
  };
}

/** Files by their absolute paths, each with what changes when it is written. */
async function findReports({ patterns, cwd, offered }: JunitPlaces): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const pattern of patterns.length > 0 ? patterns : [offered])
    for await (const file of filesOf(pattern, cwd)) {
      const facts = await stat(file).catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP'));
      if (facts?.isFile()) found.set(file, `${facts.mtimeMs} ${facts.size} ${facts.ino}`);
      if (found.size > observeLimits.junitFiles) return found;
    }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A path that is there is that file, or the reports in that folder; anything else is a glob. */
async function* filesOf(pattern: string, cwd: string): AsyncGenerator<string> {
  const plain = path.resolve(cwd, pattern);
  const facts = await stat(plain).catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP'));
  if (facts?.isFile()) {
    yield plain;
    return;
  }
  const within = facts?.isDirectory() ? path.join(pattern, '*.xml') : pattern;
  for await (const name of glob(within, { cwd })) yield path.resolve(cwd, name);
}

async function readReport(file: string): Promise<JunitReport> {
  const facts = await stat(file);
  if (facts.size > observeLimits.junitBytes)
    return { suites: [], tests: [], fault: `it has ${facts.size} bytes, which is more than is read` };
  return parseJunit(await readFile(file, 'utf8'));
}

function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
}
