/** A compose project as it is meant: what `docker compose config` would show, with the places of what it says. */
import type { MapNode, YamlPlace } from '../source/yaml-tree.ts';
import type { ComposeNotice } from './compose-report.ts';
import type { LookUp } from './interpolate.ts';

export interface ComposeProject {
  readonly name: string;
  readonly folder: string;
  /** Those of the active profiles, in the order in which they can start. */
  readonly services: readonly ComposeService[];
  readonly volumes: Readonly<Record<string, ComposeVolume>>;
  /** Configs and secrets, by `configs NAME` and `secrets NAME`. */
  readonly files: Readonly<Record<string, ComposeFile>>;
  /** The shell's, and those of `.env`, too. */
  readonly variables: { readonly shell: LookUp; readonly all: LookUp };
  /** What has no effect here. */
  readonly notices: readonly ComposeNotice[];
  /** The texts of every file that was read. */
  readonly texts: readonly string[];
}

export interface ComposeService {
  readonly name: string;
  readonly at: YamlPlace;
  /** In its long form; what is not below is read from here. */
  readonly node: MapNode;
  readonly image?: string;
  /** Empty lists remove what the image has. */
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly dependsOn: Readonly<Record<string, Dependency>>;
  readonly ports: readonly ComposePort[];
  /** Of TCP. */
  readonly expose: readonly number[];
  readonly mounts: readonly ComposeMount[];
  /** Network to the names that the service has there, beside its own; none for `network_mode`. */
  readonly networks: Readonly<Record<string, readonly string[]>>;
  /** Name under which it reaches another service, to that service. */
  readonly links: Readonly<Record<string, string>>;
  readonly profiles: readonly string[];
}

export interface Dependency {
  readonly condition: 'service_started' | 'service_healthy' | 'service_completed_successfully';
  readonly required: boolean;
  readonly at: YamlPlace;
}

export interface ComposePort {
  readonly target: number;
  readonly published?: string;
  readonly hostIp?: string;
  readonly protocol: string;
  readonly name?: string;
  readonly appProtocol?: string;
}

export interface ComposeMount {
  readonly type: 'bind' | 'volume' | 'tmpfs';
  readonly source?: string;
  readonly target: string;
  readonly readOnly: boolean;
  readonly createSource: boolean;
  readonly noCopy: boolean;
  readonly sizeBytes?: number;
  readonly mode?: number;
  readonly at: YamlPlace;
}

export interface ComposeVolume {
  readonly external: boolean;
  readonly name?: string;
  readonly driver?: string;
  readonly driverOptions?: Readonly<Record<string, string>>;
}

/** A config or a secret. */
export interface ComposeFile {
  readonly from:
    | { readonly file: string }
    | { readonly content: string }
    | { readonly variable: string }
    | 'external';
  readonly at: YamlPlace;
}
