/** Marks by which credentials are compared between runs without being kept: keyed hashes, whose key never leaves the cache. */
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { createFileBelow } from '../kernel/folders/entries-below.ts';
import { findOwnFile } from '../kernel/folders/own-file.ts';
import { absentOn } from '../kernel/system-error.ts';
import { freshKey } from '../kernel/unique-id.ts';
import { cacheFolder } from './run-folder.ts';

const keyBytes = 32;
/** Enough to tell a few credentials apart. */
const markLetters = 8;

/** The first run makes it; until the cache is removed, equal credentials have equal marks. */
export function makeMarkKey(systemFolder: string): void {
  try {
    createFileBelow(systemFolder, keyFile(systemFolder), freshKey(keyBytes), 0o600);
  } catch (error) {
    absentOn('EEXIST')(error);
  }
}

/** Undefined where there is no key, or not yet all of it. */
export function credentialMarker(systemFolder: string): ((value: string) => string) | undefined {
  const key = findOwnFile(keyFile(systemFolder));
  if (key?.length !== keyBytes * 2) return undefined;
  return (value) => letters(createHmac('sha256', key).update(value).digest());
}

function keyFile(systemFolder: string): string {
  return path.join(cacheFolder(systemFolder), 'credentials.key');
}

/** A word without digits: it is not taken for an id that differs in every run. */
function letters(bytes: Buffer): string {
  return [...bytes.subarray(0, markLetters)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}
