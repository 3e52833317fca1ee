/** Writes files with observed or exchanged text: the only way our texts get into a file, always without secrets. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileBelow } from '../kernel/folders/entries-below.ts';
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

/** The same for a file that is meant to be committed. */
export function writeShared(file: string, text: string): void {
  writeFileSync(file, text);
}
