#!/usr/bin/env node
// The binary: refuses a Node that is too old in words that such a Node understands, then hands over to the CLI.
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const wanted = [22, 18];
const has = process.versions.node.split('.').map(Number);
if (has[0] < wanted[0] || (has[0] === wanted[0] && has[1] < wanted[1])) {
  console.error(
    [
      `error[config.node-too-old] ${process.execPath}`,
      `  what     this is Node ${process.versions.node}`,
      `  allowed  Node ${wanted.join('.')} or newer`,
      '  next     install a newer Node, or in a project: npm install --save-dev node@24, and call shakedown through npx',
    ].join('\n'),
  );
  process.exit(2);
}
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-v')) {
  console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
} else {
  // What is made must be ours to enter: a mask that takes our own rights away is for others only.
  process.umask(process.umask() & 0o077);
  // Otherwise any process of the same user can open a debugger here, to every user of the machine.
  process.on('SIGUSR1', () => undefined);
  const cache = fileURLToPath(new URL('../.cache', import.meta.url));
  if (isPrivate(cache)) module.enableCompileCache(cache);
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const entry = existsSync(source) ? source : new URL('../dist/cli/main.js', import.meta.url);
  import(entry.href)
    .catch(notInstalled)
    .then(({ main }) => main(process.argv.slice(2)))
    // A config may have left a timer running; everything that we wanted to say has been written.
    .then((code) => process.exit(code));
}

/** A part of the package is missing or damaged: that is not a verdict on the user's system. */
function notInstalled(error) {
  console.error(
    [
      `error[shakedown.bug] ${fileURLToPath(new URL('..', import.meta.url))}`,
      `  what     the package is not complete: ${error.message}`,
      '  allowed  the package as it was published',
      '  next     install it again: npm install --save-dev shakedown',
    ].join('\n'),
  );
  process.exit(70);
}

/** Compiled code is kept inside of our own package, where nobody else can look or write: it is run unread. Elsewhere we do without. */
function isPrivate(folder) {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const { mode, uid } = lstatSync(folder);
    return (mode & 0o170077) === 0o040000 && uid === (process.geteuid?.() ?? uid);
  } catch {
    return false; // the package may not be written to
  }
}
