/** What the keeper reports about an environment to observers. */

export interface EnvironmentFacts {
  readonly services: readonly ServiceFacts[];
  /** A place in a database for each consumer that has one, and the shared one. */
  readonly databases: readonly DatabaseFacts[];
  /** The stores of keys. */
  readonly stores: readonly StoreFacts[];
  /** The folders that services share. */
  readonly volumes: readonly { readonly name: string; readonly folder: string }[];
}

export interface ServiceFacts {
  readonly name: string;
  /** The pid outside every namespace; null while it does not run. */
  readonly pid: number | null;
  /** The name of its container; its files are in there, and its folders hold only what was rendered for it. */
  readonly container?: string;
  /** Why nothing is known of its processes, although it runs. */
  readonly unseen?: string;
  /** It is somebody else's: nothing of it can be seen but calls. */
  readonly attached?: true;
  /** How often it was started in this environment. */
  readonly starts: number;
  readonly logFile: string;
  /** Its own folders: `${self.dir}`, `${self.home}`, `${self.tmp}`. */
  readonly folders: { readonly dir: string; readonly home: string; readonly tmp: string };
  /** Where it listens itself, not its taps; the first is the one that its name means. */
  readonly listeners: readonly ListenerFacts[];
  /** Of a Redis, where its command says it (`--requirepass`). */
  readonly storePassword?: string;
  /** Programs on its PATH that are recorded: name of the edge's end to the folder of the records. */
  readonly shims: Readonly<Record<string, string>>;
}

export interface ListenerFacts {
  readonly name: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** `scheme://host:port` */
  readonly url: string;
}

export interface StoreFacts {
  readonly resource: string;
  /** Past the tap, with the database that belongs to the environment. */
  readonly url: string;
  /** All of its databases do. */
  readonly isWhole: boolean;
}

export interface DatabaseFacts {
  readonly resource: string;
  /** The owner of the place; null for the shared one. */
  readonly service: string | null;
  /** With full access, bypassing the tap: our queries must not look like traffic. */
  readonly url: string;
  /** Null where the whole database is the service's. */
  readonly schema: string | null;
}
