/** The parts of a system and which calls which, as written with every attempt: the basis for blame. */

export interface Topology {
  readonly parties: readonly Party[];
  readonly edges: readonly TopologyEdge[];
  readonly relays: readonly Relay[];
  /** What the jobs left behind in a resource before the services began, by a fingerprint of it. */
  readonly prepared?: readonly Prepared[];
  readonly shared?: readonly SharedPlace[];
}

/** A folder or a file that several services are given: what one writes there, another may read, and no tap sees it. */
export interface SharedPlace {
  readonly path: string;
  readonly by: readonly string[];
  /** It is a database: rows that are there may be of any of them. */
  readonly isStore?: true;
}

export type PartyKind = 'service' | 'resource' | 'model' | 'peer' | 'job';

export interface Party {
  readonly name: string;
  readonly kind: PartyKind;
  /** Of a resource: every consumer has a place of its own in it, which no other consumer writes to. */
  readonly private?: true;
}

/** From a consumer to a provider; `outside` is the runner of the trial. */
export interface TopologyEdge {
  readonly from: string;
  readonly to: string;
  /** What its tap reports: single calls, statements to a store, or only traffic; calls where absent, unless the provider is a resource. */
  readonly seen?: 'calls' | 'statements' | 'bytes';
}

/** What comes in on one edge goes out on another. Several of one name are several outputs of the same relay. */
export interface Relay {
  readonly name: string;
  /** `agent -> gateway` */
  readonly incoming: string;
  /** `gateway -> model` */
  readonly outgoing: string;
  /** Paths that are the same on both, such as `request.json.tools` and `turn.text`; `a = b` where the names differ. */
  readonly same: readonly string[];
}

export interface Prepared {
  readonly resource: string;
  /** The jobs that wrote there. */
  readonly by: readonly string[];
  /** Equal for an equal state, such as a hash of all tables with their columns. */
  readonly state: string;
  /** Nobody looked into it: it is known by what the jobs said to it, and in which order. */
  readonly said?: true;
}

/** The runner of the trial. */
export const outside = 'outside';
