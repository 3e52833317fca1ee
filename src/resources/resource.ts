/** What a resource is to the environment: something that is provisioned, given its consumers, and removed again. */
import type { Emit } from '../journal/event.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { ResourceSpec } from '../system/system.ts';
import type { StepGave } from './script-values.ts';

/** The consumers that will hold a reference to the resource. */
export interface Consumer {
  readonly kind: 'job' | 'service';
  readonly name: string;
}

/** A process that the environment started for a resource and will end with it. */
export interface ResourceProcess {
  readonly pid: number;
  /** Settles when the process has ended; never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Sends the signal, waits, and kills the whole group when it does not end in time. */
  stop(signal: NodeJS.Signals, withinMs: number): Promise<void>;
}

export interface ResourceProcessOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Run as this user and group, where the caller is root. */
  readonly as?: { readonly uid: number; readonly gid: number };
  /** A setup step (`initdb`, `cp`) that ends before the resource is up, not the resource itself: not announced. */
  readonly step?: boolean;
}

export interface ResourceContainerOptions {
  readonly image: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Its own port at which it listens. */
  readonly port: number;
}

/** A container that the environment started for a resource and will remove with it. */
export interface ResourceContainer extends ResourceProcess {
  readonly address: { readonly host: string; readonly port: number };
  /** Of its output. */
  lastLines(): readonly string[];
  /** Once it has ended. */
  remove(): Promise<void>;
}

/** Name to value; of variables of the user, and of what must not be shown. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What the environment offers to a resource while it provisions. */
export interface ResourceContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Short, unique among all environments of the machine; safe in names of databases, roles and buckets. */
  readonly label: string;
  /** A folder of the resource's own, gone with the environment. Its parents can be traversed by every user. */
  readonly folder: string;
  /** A folder that outlives environments (`.shakedown/cache`), for what is costly to make and the same every time. */
  readonly cacheFolder: string;
  /** Where the resource's processes write their output. */
  readonly logFile: string;
  readonly consumers: readonly Consumer[];
  /** Present when a snapshot will be asked for after the jobs. */
  readonly snapshots?: SnapshotOptions;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Milliseconds since the journal's first moment. */
  at(): number;
  /** Folder of the config file, for what a team keeps next to it. */
  readonly systemFolder: string;
  /** Fills in `${…}` as for a consumer of the resource's name; for peers that call services. */
  resolve(text: string): string;
  /** Name to value of all that must not reach a file. */
  readonly secrets: Variables;
  /** The Shakedown that this is, with its version. */
  readonly tool?: string;
  /** The user's own environment variables, for what a resource may need of it. */
  readonly hostEnv: Variables;
  /** A port below the ephemeral range, locked against every other run until the environment is gone. */
  choosePort(): Promise<number>;
  start(options: ResourceProcessOptions): Promise<ResourceProcess>;
  /** Only where the system declares that the resource is one. */
  startContainer(options: ResourceContainerOptions): Promise<ResourceContainer>;
  /** Written to the ledger *before* anything is made outside our processes and folders, so that no crash loses it. */
  intend(outside: OutsideThing): Promise<void>;
}

export interface SnapshotOptions {
  /**
   * Names all that the jobs make the data from. A snapshot that an earlier run kept under this key may be started from, and
   * this run's is kept for later ones. Absent where that cannot be known.
   */
  readonly key?: string;
}

/** Something made in a place that outlives our processes; `sweep` removes it after a crash. */
export interface OutsideThing {
  readonly kind: 'postgres' | 'redis';
  /** What `sweep` needs: the names of databases and roles, for redis the number. The secret part (the url) is looked up again, never stored. */
  readonly resource: string;
  readonly databases: readonly string[];
  readonly roles: readonly string[];
  /** Where no ledger is left to say more: whatever is named after this environment. For redis, whose mark it must have. */
  readonly environment?: string;
}

/** The address of what is a file. */
export const nowhere = { host: '', port: 0 } as const;

/** A resource that is up. */
export interface ProvisionedResource {
  /** Where the tap connects to; `nowhere` for a file. */
  readonly endpoint: { readonly host: string; readonly port: number };
  /** Instead, where the resource must identify its caller: an address per consumer name, including `outside`. */
  endpointFor?(consumer: string): { readonly host: string; readonly port: number } | undefined;
  readonly pid?: number | undefined;
  /** One line for `status`: `PostgreSQL 18.4, embedded`. */
  readonly summary: string;
  /** Settles when the resource has died by itself; never settles for the user's own server. */
  readonly died: Promise<string>;
  /** What `${name.url}` and similar references mean for this consumer, which calls this address (its tap). */
  references(
    consumer: Consumer,
    address: { readonly host: string; readonly port: number },
  ): Readonly<Record<string, string>>;
  /** Where data of consumers is, for observers with full access that bypass the taps. */
  places?(): readonly DataPlace[];
  /** The same where it holds keys. */
  stores?(): readonly KeyStore[];
  /** The folder that it is, for observers. */
  readonly sharedFolder?: string;
  /** It began with the snapshot of an earlier run: what jobs would make is there already. */
  readonly isReused?: boolean;
  /** Captures the current state for `restore`. Nothing may be running. Present where snapshots were requested. */
  snapshot?(): Promise<void>;
  /** Back to the snapshot; open connections are terminated. Can be repeated. */
  restore?(): Promise<void>;
  /** Keeps the snapshot for later runs; only `stop` follows. Being unable to is not a failure. */
  keep?(signal: AbortSignal): Promise<void>;
  /** Present where the resource is a scripted peer: each attempt gives it its script. */
  readonly peer?: ScriptedPeer;
  /** Removes everything. Rejects when something stays. */
  stop(): Promise<void>;
}

/** A scripted peer. Before the first attempt it has no script. */
export interface ScriptedPeer {
  /** Something it has to send is in transit or waits for its time: nothing is idle before that. */
  readonly isBusy?: boolean;
  /** An attempt begins: the previous script is dropped. Rejects with a problem when the script cannot be played. */
  begin(part: PeerPart): Promise<void>;
  /** What a step of the attempt gave, as soon as it is known. */
  learn?(gave: StepGave): void;
  /** How many lines of its script must be used and were not, so far. */
  unused?(): number;
  /** The attempt is over, and everything is idle: reports to the journal which lines were not used. */
  settle(ended?: AttemptEnded): Promise<void>;
}

export interface AttemptEnded {
  /** It completed, and was not abandoned. */
  readonly isWhole: boolean;
}

export const wholeAttempt: AttemptEnded = { isWhole: true };

export interface PeerPart {
  readonly trial: string;
  readonly attempt: number;
  /** Its source of randomness. */
  readonly seed: string;
  /** Plain data; what the request and the steps will bring is still a reference, and nothing else is. Undefined where the trial has none for this resource. */
  readonly script: unknown;
  /** What the attempt may cost at most, where the model is a real one. */
  readonly budget?: { readonly usd?: number; readonly tokens?: number };
}

/** A place in a database. */
export interface DataPlace {
  /** Its owner; null for what is shared. */
  readonly service: string | null;
  readonly url: string;
  /** Null where the whole database belongs to it. */
  readonly schema: string | null;
}

/** A store of keys, with its URL past the taps. */
export interface KeyStore {
  readonly url: string;
  /** All of its databases belong to the environment, not only that of the URL. */
  readonly isWhole: boolean;
}

/** One kind of resource. */
export interface ResourceDriver<Spec extends ResourceSpec = ResourceSpec> {
  readonly kind: Spec['kind'];
  provision(spec: Spec, context: ResourceContext): Promise<ProvisionedResource>;
  /** Removes what a crashed environment made outside; called by the sweep. */
  sweep(thing: OutsideThing, spec: Spec, hostEnv: Variables, clock: Clock): Promise<void>;
}
