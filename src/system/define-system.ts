/** What a config written in TypeScript imports: each function gives plain data. */
import type { ResourceDocument, SystemDocument } from './document/system-document.ts';

/** Gives back the document; with it, editors know its keys. */
export function defineSystem(document: SystemDocument): SystemDocument {
  return document;
}

/** A PostgreSQL server: embedded, or yours when `url` is given. */
export function postgres(options: Omit<ResourceDocument, 'kind'> = {}): ResourceDocument {
  return { kind: 'postgres', ...options };
}

/** A model provider on the wire. This version refuses it when the config is loaded, and says what to do instead. */
export function model<Options extends object>(options?: Options): Options & { kind: 'model' } {
  return { kind: 'model', ...(options as Options) };
}

/** `ref('db.url')` is `'${db.url}'`. */
export function ref<Path extends string>(path: Path): `\${${Path}}` {
  return `\${${path}}`;
}
