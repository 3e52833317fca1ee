/** The functions that a TypeScript config imports: each returns plain data. */
import type {
  HttpPeerDocument,
  ModelDocument,
  PostgresDocument,
  RedisDocument,
  SqliteDocument,
  TelemetryDocument,
} from './document/resource-documents.ts';
import type { SystemDocument } from './document/system-document.ts';

/** Returns the document unchanged; its type lets editors complete the keys. */
export function defineSystem(document: SystemDocument): SystemDocument {
  return document;
}

/** A PostgreSQL server: embedded, or yours when `url` is given. */
export function postgres(options: Omit<PostgresDocument, 'kind'> = {}): PostgresDocument {
  return { kind: 'postgres', ...options };
}

/** Redis, or Valkey: a server of the environment's own, or a database on yours when `url` is given. */
export function redis(options: Omit<RedisDocument, 'kind'> = {}): RedisDocument {
  return { kind: 'redis', ...options };
}

/** A database in a file that services open themselves: its path is `${name.path}`. */
export function sqlite(): SqliteDocument {
  return { kind: 'sqlite' };
}

/** A model provider on the wire: scripted, recorded, or a real one behind a budget. */
export function model(options: Omit<ModelDocument, 'kind'> = {}): ModelDocument {
  return { kind: 'model', ...options };
}

/** A third party simulated on the wire, which may call back. */
export function http(options: Omit<HttpPeerDocument, 'kind'>): HttpPeerDocument {
  return { kind: 'http', ...options };
}

/** A receiver of traces over OTLP/HTTP. */
export function telemetry(): TelemetryDocument {
  return { kind: 'telemetry' };
}

/** `ref('db.url')` is `'${db.url}'`. */
export function ref<Path extends string>(path: Path): `\${${Path}}` {
  return `\${${path}}`;
}
