/** A job or service on its way from the document to the system: rosters expanded, templates read, nothing checked yet. */
import type { SourcePosition } from '../kernel/source-position.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { JobDocument, ServiceDocument } from './document/program-document.ts';
import type { DocumentPath } from './source/document-path.ts';
import type { ReadySpec } from './system.ts';

interface DraftFacts {
  readonly name: string;
  /** Its path in the config; members of a roster share the roster's. */
  readonly path: DocumentPath;
  readonly templates: readonly TemplateDraft[];
  /** Of a service that a compose file declares. */
  readonly compose?: ComposeFacts;
}

/** What the document of a program cannot say. */
export interface ComposeFacts {
  readonly container: ContainerSpec;
  readonly at: SourcePosition;
  /** When the config says nothing else. */
  readonly ready: ReadySpec;
}

export interface TemplateDraft {
  readonly to: string;
  /** Absolute; absent when the text is in the config. */
  readonly file?: string;
  /** As written in the file. */
  readonly written: string;
  /** With the parts of a manifest put into it. */
  readonly text: string;
}

export interface JobDraft extends DraftFacts {
  readonly kind: 'job';
  readonly document: JobDocument;
}

export interface ServiceDraft extends DraftFacts {
  readonly kind: 'service';
  readonly document: ServiceDocument;
  readonly member?: MemberFacts;
}

/** Which manifest of which roster a service comes from. */
export interface MemberFacts {
  readonly roster: string;
  /** The content of the manifest. */
  readonly it?: unknown;
  /** Absolute. */
  readonly manifest: string;
}

export type ProgramDraft = JobDraft | ServiceDraft;
