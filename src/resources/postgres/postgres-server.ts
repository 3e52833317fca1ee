/** What every form of a PostgreSQL server (embedded, the user's own, later a container) is to the rest of this folder. */
import type { Client } from 'pg';
import type { Problem } from '../../kernel/problem.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** A role with its password, and the database that it comes to. */
export interface PostgresLogin {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** What was made, by its names on the server. */
export interface MadeNames {
  readonly databases: readonly string[];
  /** In the order in which they can be dropped. */
  readonly roles: readonly string[];
}

/** What a snapshot consists of: a copy of each database, and the names of the roles that there were. */
export interface SnapshotContents {
  readonly databases: ReadonlyArray<{ readonly live: string; readonly copy: string }>;
  readonly roles: readonly string[];
  /** Of what is in the server but outside its databases: a different one means that it was changed. */
  readonly fingerprint: string;
}

/** A server that accepts connections and holds nothing of the system's yet, or the snapshot of an earlier run. */
export interface PostgresServer {
  readonly endpoint: ServerAddress;
  readonly pid?: number;
  readonly summary: string;
  /** Settles when the server has died by itself; never settles for the user's own server. */
  readonly died: Promise<string>;
  readonly admin: PostgresLogin;
  /** The administrator's own connection, straight to the server; open until the layout has been made. */
  readonly session: Client;
  /** From where databases can be made and dropped. */
  readonly maintenanceDatabase: string;
  /** Nothing else uses it: whatever is on the server belongs to the system. */
  readonly isOwn: boolean;
  /** The server began with this snapshot of an earlier run: its roles and copies are there, the databases are not. */
  readonly stored?: SnapshotContents;
  /** Prefixes the name of every database and role, so that two environments cannot collide on one server. */
  readonly prefix: string;
  /** The session's own database is already the empty main one; otherwise it has to be created. */
  readonly mainIsMade: boolean;
  /** What the owner may do beyond its databases, as `CREATE ROLE` spells it. */
  readonly ownerRights: string;
  /** Added to `CREATE DATABASE`. */
  readonly createDatabaseWith: string;
  /** The administrator is not a superuser and must be a member of the roles it creates. */
  readonly adminJoinsRoles: boolean;
  /** Settings that hold for each database that is made. */
  readonly databaseSettings: Readonly<Record<string, string>>;
  /** Query parameters that the URLs of consumers carry. */
  readonly urlParameters: Readonly<Record<string, string>>;
  /** A second connection of the administrator's, to another database. */
  connect(database: string): Promise<Client>;
  /** Called before anything is created, so that it can be removed again. */
  claim(names: MadeNames): Promise<void>;
  /** Copies the data for `keep`; then the server runs at another address. Present where services may write a secret. */
  setAside?(): Promise<void>;
  /** Keeps the data, as the snapshot that it now holds or held when it was set aside, for later runs. Only `stop` follows. */
  keep?(contents: SnapshotContents, signal: AbortSignal): Promise<void>;
  /** What was stored cannot be used: it goes, so that it is made again. */
  forgetStored?(): Promise<void>;
  /** Says in four parts what an error of this server's means. */
  explain(error: unknown): Problem;
  stop(): Promise<void>;
}
