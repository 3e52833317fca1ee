/** A kind of step, apart from its driver: its target, and the form that its driver takes. */
import type { StepEvidence } from './evidence.ts';
import type { FlowSteps } from './flow-method.ts';
import type { StepRecorder } from './step-recorder.ts';

/** A step or a query as written, or with its references resolved. */
export type Spec = Readonly<Record<string, unknown>>;

export interface StepKind {
  /** The driver, as the policy of a suite names it. Absent where the step only waits, or continues what another step opened. */
  readonly driver?: string;
  /** The service that the text under the step's key names; absent where a step reaches none. */
  readonly target?: (written: string) => Target | undefined;
  /** The target must listen on a port. */
  readonly needsListener?: true;
  /** Resources that speak HTTP can be reached as well as services. */
  readonly reachesResources?: true;
  /** It starts a program from outside, which may do anything. */
  readonly startsProgram?: true;
  /** It acts within a service, and not from outside. */
  readonly isInside?: (spec: Spec) => boolean;
  /** It is one call on an edge, with the same status. */
  readonly isOneCall?: true;
  /** It does nothing to the system. */
  readonly onlyWaits?: true;
  /** Writes recorded calls as steps of this kind. */
  readonly recorder?: StepRecorder;
  /** At most one of these keys may be present. */
  readonly oneOf?: readonly string[];
  /** Whether a connection stays open under the step's name. */
  readonly opens?: (spec: Spec) => boolean;
  /** The key with which it does, where it does not always. */
  readonly opensWith?: string;
  /** The name of the step whose connection this one uses. */
  readonly continues?: (spec: Spec) => string;
  /** A plugin performs it: what it gives proves nothing about the service that it names. */
  readonly isForeign?: true;
  /** Converts the spec into the form that the driver takes. */
  readonly toDriver?: (spec: Spec) => DriverStep;
  /** What it gives beside the fields of every step; `any` where a plugin does not say. */
  readonly evidence?: StepEvidence | 'any';
  /** Its keys that name something and are not sent. */
  readonly unsent?: readonly string[];
  /** Words that are sent as parts of an address or a command. */
  readonly words?: (spec: Spec) => readonly string[];
  /** Fields of its evidence that follow from how the step is written, whatever the system does. */
  readonly decides?: (spec: Spec) => readonly string[];
  /** The methods that it adds to the context of a flow. */
  readonly flow?: (steps: FlowSteps) => object;
  /** Where it differs from the limit of all steps. */
  readonly timeoutMs?: number;
}

export interface Target {
  readonly name: string;
  readonly listener?: string;
}

export type DriverStep = { readonly step: Spec } | { readonly fault: string };

/** `service`, or `service.listener`. */
export function serviceTarget(written: string): Target {
  const [name = '', ...listener] = written.split('.');
  return listener.length === 0 ? { name } : { name, listener: listener.join('.') };
}

export function withoutKey(spec: Spec, key: string): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => name !== key));
}

/** Headers, fields and variables become texts. */
export function textsOf(spec: Spec, key: string): Spec {
  const value = spec[key];
  if (typeof value !== 'object' || value === null) return {};
  return { [key]: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, String(inner)])) };
}

/** A list of words as it is; one text is run by a shell. */
export function argvOf(written: unknown): readonly string[] {
  return Array.isArray(written) ? written.map(String) : ['sh', '-c', String(written)];
}
