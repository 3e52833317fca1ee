/** Writes files with observed or exchanged text: the only way our texts get into a file, always without secrets. */
import { appendFileSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileBelow } from '../kernel/folders/entries-below.ts';
import { projectPlace } from '../kernel/folders/project-place.ts';
import { redactOurs } from './redact-values.ts';
import type { Redactor } from './redaction.ts';

/** A document for programs; single words in it are ours. */
export function writeFindings(file: string, value: unknown, redactor: Redactor): void {
  writeDocument(file, redactOurs(value, redactor, 'spared'));
}

/** A document that has been redacted, because it is used as it is written. */
export function writeDocument(file: string, clean: unknown): void {
  writeClean(file, `${JSON.stringify(clean, undefined, 2)}\n`);
}

/** A text made from what has been redacted; it takes the place of whatever has the name, and no link below the folder is followed. */
export function writeClean(file: string, text: string, below = path.dirname(file)): void {
  writeFileBelow(below, file, text, 0o600);
}

/** The same for a file that is meant to be committed: in the project, where no link leads out of it; atomic. */
export function writeShared(project: string, file: string, text: string): void {
  const place = projectPlace(project, file);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // `/dev/stdout`, or a pipe, named by the user.
  if (place.isOutside && stats && !stats.isFile()) writeFileSync(file, text);
  else writeFileBelow(place.below, place.file, text, stats?.isFile() ? stats.mode & 0o777 : 0o644);
}

/** Adds a text that has been redacted to a file of the caller, such as one that a CI system has made. */
export function appendClean(file: string, text: string): void {
  appendFileSync(file, text);
}
