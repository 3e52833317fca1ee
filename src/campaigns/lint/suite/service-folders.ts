/** Folders in which services keep data, as far as the config says, and the files into which a command writes. */
import path from 'node:path';
import { isReference, parseReferences } from '../../../kernel/references.ts';
import type { System } from '../../../system/system.ts';

const folderVariable =
  /(?:DATA|STATE|STORE|STORAGE|DB|DATABASE|CACHE|SPOOL|UPLOADS?)(?:_?(?:DIR|FOLDER|PATH|ROOT|FILE))?$/;

/** Fixed places in the variables of services; what is made for an environment has a name only then, below `.shakedown`. */
export function serviceFolders({ folder, services }: System): readonly string[] {
  const named = services.flatMap(({ env, cwd }) =>
    Object.entries(env)
      .filter(([name]) => folderVariable.test(name))
      .flatMap(([, value]) => {
        const text = plainPath(value, folder);
        return text === undefined ? [] : [path.resolve(cwd, text)];
      }),
  );
  const state = path.join(folder, '.shakedown');
  return [...new Set([state, ...named.filter((one) => one !== folder && !folder.startsWith(one))])];
}

/** A path without references, but for the folder of the config. */
function plainPath(value: string, folder: string): string | undefined {
  const parts = parseReferences(value).map((part) => {
    if (!isReference(part)) return part.text;
    return part.reference === 'config.dir' ? folder : undefined;
  });
  const text = parts.includes(undefined) ? '' : parts.join('');
  return /^(?:\.{0,2}\/|[\w.-]+\/)/.test(text) && !text.includes('://') ? text : undefined;
}

/** Where output is led to, and what writing programs are told to write, made absolute. */
export function writtenInto(argv: readonly string[], folder: string): readonly string[] {
  const text = argv.join(' ');
  const redirected = [...text.matchAll(/>{1,2}\s*([^\s<>|;&'"]+)/g)].map(([, target = '']) => target);
  const programs = [
    ...text.matchAll(/(?:^|[\s/;&|(])(?:tee|cp|mv|rm|touch|mkdir|rmdir|ln|dd|sed\s+-i\S*)\s+([^;&|<>]+)/g),
  ];
  const named = programs.flatMap(([, words = '']) =>
    words.split(/\s+/).map((word) => word.replace(/^of=/, '')),
  );
  return [...redirected, ...named]
    .filter((word) => word !== '' && !word.startsWith('-') && !word.includes('${'))
    .map((word) => path.resolve(folder, word));
}
