/** Compares what files import with the table. Pure, so that it can be shown to fail. */
import path from 'node:path';
import type { ImportException, ImportTable } from './import-table.ts';
import { type Import, importsOf } from './imports-of.ts';

/** Returns one line for each import that the table does not allow, and for each unused exception. */
export function checkImports(files: ReadonlyMap<string, string>, table: ImportTable): readonly string[] {
  const used = new Set<ImportException>();
  const faults = [...files].flatMap(([file, text]) => {
    const room = roomOf(file);
    if (!Object.hasOwn(table.rooms, room)) return [`${file}:1: the room \`${room}\` is not in the table`];
    return importsOf(file, text).flatMap((found) => {
      const fault = faultOf(file, room, found, table);
      if (fault === undefined) return [];
      const exception = table.exceptions.find(
        (candidate) => candidate.file === file && candidate.imports === fault.imports,
      );
      if (exception) used.add(exception);
      return exception ? [] : [`${file}:${found.line}: ${fault.text}`];
    });
  });
  const idle = table.exceptions.filter((exception) => !used.has(exception));
  return [
    ...faults,
    ...idle.map(({ file, imports }) => `${file}: the exception for \`${imports}\` is not needed`),
  ];
}

interface Fault {
  readonly imports: string;
  readonly text: string;
}

function faultOf(file: string, room: string, found: Import, table: ImportTable): Fault | undefined {
  const { specifier } = found;
  if (specifier.startsWith('node:')) return builtinFault(room, specifier, table);
  if (specifier.startsWith('.')) return roomFault(file, room, found, table);
  return packageFault(file, specifier, table);
}

function builtinFault(room: string, specifier: string, { pure }: ImportTable): Fault | undefined {
  if (!pure.rooms.includes(room) || pure.mayUse.includes(specifier)) return undefined;
  const text = `\`${room}\` is pure and imports \`${specifier}\`; allowed: ${pure.mayUse.join(', ')}`;
  return { imports: specifier, text };
}

function packageFault(file: string, specifier: string, { packages }: ImportTable): Fault | undefined {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const places = Object.hasOwn(packages, name) ? (packages[name] ?? []) : [];
  if (places.some((place) => file === place || file.startsWith(`${place}/`))) return undefined;
  const where = places.length > 0 ? `it is for ${places.join(', ')}` : 'it is in no row of the table';
  return { imports: name, text: `imports the package \`${name}\`; ${where}` };
}

function roomFault(file: string, room: string, found: Import, { rooms }: ImportTable): Fault | undefined {
  const target = path.posix.join(path.posix.dirname(file), found.specifier);
  const other = target.startsWith('src/') ? roomOf(target) : target;
  const allowed = rooms[room] ?? [];
  if (other === room || allowed.includes(other)) return undefined;
  if (found.typesOnly && allowed.includes(`${other}:types`)) return undefined;
  const what = found.typesOnly ? 'types of' : allowed.includes(`${other}:types`) ? 'values of' : 'from';
  const list = allowed.length > 0 ? allowed.join(', ') : 'nothing';
  return {
    imports: other,
    text: `\`${room}\` imports ${what} \`${other}\` (${found.specifier}); allowed: ${list}`,
  };
}

/** `src/kernel/clock.ts` is in `kernel`; a file directly below `src` is a room of its own. */
function roomOf(file: string): string {
  return file.split('/')[1] ?? file;
}
