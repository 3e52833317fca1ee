/** What the keeper tells of an environment to whoever observes it. */

export interface EnvironmentFacts {
  readonly services: readonly ServiceFacts[];
  /** A place in a database for each consumer that has one, and the one that everybody shares. */
  readonly databases: readonly DatabaseFacts[];
}

export interface ServiceFacts {
  readonly name: string;
  /** The number outside of every namespace; null while it does not run. */
  readonly pid: number | null;
  /** How often it was started in this environment. */
  readonly starts: number;
  readonly logFile: string;
  /** Its own folders: `${self.dir}`, `${self.home}`, `${self.tmp}`. */
  readonly folders: { readonly dir: string; readonly home: string; readonly tmp: string };
  /** Programs on its PATH that are recorded: name of the edge's end to the folder of the records. */
  readonly shims: Readonly<Record<string, string>>;
}

export interface DatabaseFacts {
  readonly resource: string;
  /** Who owns the place; null for what everybody shares. */
  readonly service: string | null;
  /** With every right, past the tap: what we look at must not look like traffic. */
  readonly url: string;
  /** Null where the whole database is the service's. */
  readonly schema: string | null;
}
