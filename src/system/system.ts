/** A validated, expanded, immutable system. Plain data, so that it can be stored as `plan.json`. */
import type { ContainerSpec } from './container-spec.ts';
import type { HttpPeerDocument, ModelDocument } from './document/resource-documents.ts';
import type { SystemDocument } from './document/system-document.ts';

export interface System {
  readonly name: string;
  /** Absolute path of the config file and of its folder; relative paths in the config start there. */
  readonly file: string;
  readonly folder: string;
  readonly trials: readonly string[];
  /** Paths and globs of files with requirements; absent: `requirements.yaml` beside the config, if it exists. */
  readonly requirements?: readonly string[];
  readonly resources: readonly ResourceSpec[];
  readonly jobs: readonly JobSpec[];
  /** Declared services first, then those of the rosters. */
  readonly services: readonly ServiceSpec[];
  /** Roster name to the names of its services. */
  readonly rosters: Readonly<Record<string, readonly string[]>>;
  /** Names of environment variables whose values never reach a file. */
  readonly secrets: readonly string[];
  /** Name of a variant to the values that it may have; the first is the usual one. */
  readonly matrix: Readonly<Record<string, readonly string[]>>;
  readonly boot: { readonly withinMs: number };
  readonly teardown: { readonly withinMs: number };
  readonly logs: { readonly error?: string; readonly allow?: readonly LogAllowance[] };
  readonly gates: Readonly<Record<string, Gate>>;
  /** What services must pass on unchanged. */
  readonly relays: readonly RelaySpec[];
  readonly edges?: readonly EdgeSpec[];
  /** What of the compose files has no effect here, each with its place. */
  readonly composeNotices?: ReadonlyArray<{ readonly where: string; readonly what: string }>;
  /** Programs that bring kinds of steps and checks; absent when there are none. */
  readonly plugins?: readonly PluginSpec[];
  /** What the trials themselves may do. */
  readonly suite?: SuitePolicy;
  /** Absolute paths of the registry of boundaries, and of the catalogue of high-risk trials. */
  readonly boundaries?: string;
  readonly catalogue?: string;
  /** The default for trials without their own. */
  readonly isolation: Isolation;
  /** How long every edge must be idle before a trial counts as over. */
  readonly settleMs: number;
  /** sha256 of the config, the roster manifests and the templates. */
  readonly configHash: string;
}

/** A program that speaks JSON lines and brings kinds of steps and checks. */
export interface PluginSpec {
  readonly name: string;
  readonly run: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the trials themselves may do; what is not allowed is a finding of `lint`. */
export type SuitePolicy = NonNullable<SystemDocument['suite']>;

/** How much of an environment is recreated between two trials. */
export type Isolation = 'fresh' | 'restart' | 'shared';

/** Which trials are performed for an occasion, and how many may be skipped. */
export type Gate = NonNullable<SystemDocument['gates']>[string];

/** What must hold of requirements for an occasion. Without `drift`, `run` does not check it. */
export type RequirementsGate = NonNullable<Gate['requirements']>;

/** An edge that is never silent, and what counts as idle there. */
export interface EdgeSpec {
  /** `*` for every consumer. */
  readonly from: string;
  readonly to: string;
  /** `ignore`: always idle; otherwise below this many bytes per second. */
  readonly idle: 'ignore' | { readonly belowPerSecond: number };
}

/** What comes in on one edge goes out on another. */
export interface RelaySpec {
  readonly name: string;
  /** `agent -> gateway` */
  readonly incoming: string;
  /** `gateway -> alpha` */
  readonly outgoing: string;
  /** Paths that are the same on both, such as `request.json.tools` and `turn.text`; `a = b` where the names differ. */
  readonly same: readonly string[];
}

/** Error lines of one service, or of a roster, that are expected. */
export type LogAllowance = NonNullable<NonNullable<SystemDocument['logs']>['allow']>[number];

export type ResourceSpec =
  | PostgresSpec
  | RedisSpec
  | SqliteSpec
  | VolumeSpec
  | ModelSpec
  | HttpPeerSpec
  | TelemetrySpec;

/** A folder that services share. */
export interface VolumeSpec {
  readonly kind: 'volume';
  readonly name: string;
  /** By a container. */
  readonly isMounted: boolean;
}

/** A database in a file, which its consumers open themselves. */
export interface SqliteSpec {
  readonly kind: 'sqlite';
  readonly name: string;
}

/** A model provider: simulated on the wire, or a real one behind us. */
export interface ModelSpec {
  readonly kind: 'model';
  readonly name: string;
  readonly mode: ModelMode;
  /** Why it is not the real one. */
  readonly because?: string;
  /** Rejects a history that a real provider would reject. */
  readonly strict: boolean;
  /** The keys that are accepted beside `${NAME.key}`; absent: every key. A request without a key is always refused. */
  readonly keys?: readonly string[];
  /** The models that exist; absent: every one. */
  readonly models?: readonly string[];
  /** Lines for every trial, by caller (`*` for each), as in a trial, used as often as they fit. */
  readonly standing: Readonly<Record<string, readonly unknown[]>>;
  /** Absolute paths of aimock fixtures, which are standing lines too. */
  readonly fixtures: readonly string[];
  /** The real providers behind `record` and `live`, `key` names an environment variable. */
  readonly upstreams: NonNullable<ModelDocument['upstreams']>;
  /** US dollars for a million tokens, by model; these take precedence over the built-in table. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** For the whole run. */
  readonly budget?: { readonly usd?: number; readonly tokens?: number };
  /** Absolute folder of the recordings. */
  readonly cassettes: string;
  /** Of a cassette: with the pauses that were recorded, or without. */
  readonly timing: 'original' | 'compressed';
}

export type ModelMode = NonNullable<ModelDocument['mode']>;

export type ModelPrice = NonNullable<ModelDocument['prices']>[string];

/** A third party simulated on the wire: it answers by script, records its requests, and may call back. */
export interface HttpPeerSpec {
  readonly kind: 'http';
  readonly name: string;
  /** Why it is not the real one. */
  readonly because: string;
  /** Answers that hold in every trial, used as often as they fit; lines as in a trial. */
  readonly standing: readonly unknown[];
  /** Where it may call back: name to an address with `${…}`. */
  readonly callbacks: Readonly<Record<string, string>>;
  readonly mode: PeerMode;
  /** The real one behind `record`. */
  readonly upstream?: NonNullable<HttpPeerDocument['upstream']>;
  /** Absolute folder of the recordings. */
  readonly cassettes: string;
  /** Of a cassette: with the pauses that were recorded, or without. */
  readonly timing: 'original' | 'compressed';
}

/** What answers a request that no line of a script matches: nothing, the real one, or a recording. */
export type PeerMode = NonNullable<HttpPeerDocument['mode']>;

/** A receiver of traces over OTLP/HTTP. */
export interface TelemetrySpec {
  readonly kind: 'telemetry';
  readonly name: string;
}

export interface PostgresSpec {
  readonly kind: 'postgres';
  readonly name: string;
  /** The user's server; where this and `image` are absent, the embedded one. */
  readonly url?: string;
  /** Of a container in which it runs. */
  readonly image?: string;
  /** What each service gets: the shared database, a schema of its own in it, or a database of its own. */
  readonly share: 'database' | 'schema-per-service' | 'database-per-service';
  readonly settings: Readonly<Record<string, string>>;
  /** What consumers have built in, because it stands in for a database of a compose file. */
  readonly login?: PostgresLogin;
}

/** A role with its password, and the database that it comes to. */
export interface PostgresLogin {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Redis, or Valkey. */
export interface RedisSpec {
  readonly kind: 'redis';
  readonly name: string;
  /** The user's server; absent means one of the environment's own, whose program is on PATH. */
  readonly url?: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** What jobs and services have in common. Strings may hold `${…}` references, resolved when the process starts. */
export interface ProgramSpec {
  readonly name: string;
  /** The command line of a process; empty where `container` is there instead. */
  readonly run: readonly string[];
  /** The first word of `run` stands for an interpreter, which is found at the start: as given, or by searching. */
  readonly python?: 'given' | 'search';
  /** Runs in a container of its own, instead of as a process. */
  readonly container?: ContainerSpec;
  /** Of a process; a container has its `workingDir`. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly FileSpec[];
  /** Names of resources, jobs and services (rosters already expanded) that must be ready first; references to resources included. */
  readonly after: readonly string[];
}

export interface JobSpec extends ProgramSpec {
  readonly kind: 'job';
  readonly withinMs: number;
  readonly inputs: readonly string[];
  /** Runs again for each fresh environment: its work is in files, which no snapshot has. */
  readonly again?: 'fresh';
}

export interface ServiceSpec extends ProgramSpec {
  readonly kind: 'service';
  readonly roster?: string;
  /** The content of its manifest, for a member of a roster. */
  readonly it?: unknown;
  readonly listen: readonly ListenSpec[];
  /** Programs on its PATH whose calls are recorded: name of the edge's end to the program. */
  readonly shims?: Readonly<Record<string, string>>;
  /** Those that are tool servers on stdio: their messages are observed, not only that they were started. */
  readonly stdioTools?: readonly string[];
  readonly ready: ReadySpec;
  readonly stop: {
    /** Absent: what its image names, or SIGTERM. */
    readonly signal?: NodeJS.Signals;
    readonly withinMs: number;
    /** To which of its processes the signal goes; absent: to the whole group. */
    readonly to?: 'main' | 'group';
  };
  readonly reset?: unknown;
  /** It is somebody else's: called where it is, and left as it is. */
  readonly attached?: { readonly allow: Readonly<Record<string, string>> };
}

/** One port of a service. The first is the one that `${service.url}` means. */
export interface ListenSpec {
  readonly name: string;
  readonly scheme: string;
  /** Its taps put the listener's own address into `Host`. */
  readonly hostHeader?: 'own';
  readonly how:
    | { readonly by: 'env'; readonly variable: string }
    | { readonly by: 'log'; readonly pattern: string }
    | { readonly by: 'fixed'; readonly port: number }
    /** We choose; the service gets it from `${self.port}`. */
    | { readonly by: 'reference' }
    /** It listens there already; `${env.…}` in it is still to be filled in. */
    | { readonly by: 'at'; readonly at: string };
}

/** A config file rendered from a template (toml, yaml, json, env, text) into the service's own folder. */
export interface FileSpec {
  /** Relative to `${self.dir}`. */
  readonly to: string;
  readonly format: 'toml' | 'yaml' | 'json' | 'env' | 'text';
  /** Absolute path of the template, or the template itself. */
  readonly template: { readonly file: string } | { readonly text: string };
}

/** When a service is ready, as an algebra. */
export type ReadySpec = {
  readonly withinMs: number;
  readonly everyMs?: number;
  readonly inARow: number;
} & ReadyCondition;

export type ReadyCondition =
  | {
      readonly probe: 'http';
      readonly path: string;
      readonly listener?: string;
      /** Patterns; status 200–299 when absent. */
      readonly status?: unknown;
      readonly json?: unknown;
      readonly body?: unknown;
      /** A regular expression that the first bytes of an endless stream must match. */
      readonly firstBytes?: string;
    }
  | {
      readonly probe: 'tcp';
      readonly listener?: string;
      readonly send?: string;
      readonly firstBytes?: string;
    }
  | {
      readonly probe: 'handshake';
      readonly listener?: string;
      readonly codec: string;
      readonly send?: unknown;
      readonly expect: unknown;
    }
  | { readonly probe: 'command'; readonly run: readonly string[] }
  | { readonly probe: 'log'; readonly pattern: string }
  /** The healthcheck of its container, of the config or of the image, succeeds; `otherwise`: where it has none. */
  | { readonly probe: 'health'; readonly otherwise?: ReadySpec }
  /** Waits only for the process itself. */
  | { readonly probe: 'started' }
  | { readonly probe: 'all'; readonly of: readonly ReadySpec[] }
  | { readonly probe: 'any'; readonly of: readonly ReadySpec[] };
