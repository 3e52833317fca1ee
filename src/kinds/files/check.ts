/** Files of a service, or of a folder beside the config. */

import { globExpression } from '../../patterns/glob-expression.ts';
import { type CheckKind, serviceParty } from '../kind/check-kind.ts';
import { alike, type Fields, measured, system } from '../kind/evidence.ts';
import type { Observation, Pattern, Row } from '../kind/flow-method.ts';
import { type Spec, serviceTarget } from '../kind/step-kind.ts';

const ofEveryFile: Fields = {
  ...alike('path bytes link', system),
  mode: {
    ...system,
    form: { expression: /^[0-7]{3,4}$/, examples: ['600', '640', '644', '755', '777', '000'] },
  },
  sha256: { ...system, isHash: true },
  broken: { ...measured, isRare: true },
};

/** The content, by the value of `as`. */
const forms: Fields = {
  ...alike('text yaml xml', system),
  markdown: {
    ...system,
    fields: {
      headings: { ...system, fields: { level: { ...system, least: 1, most: 6 } } },
      checkboxes: { ...system, fields: { checked: { ...system, type: 'boolean' } } },
    },
  },
  image: {
    ...system,
    fields: { ...alike('width height', { ...system, least: 1 }), blank: { ...system, type: 'boolean' } },
  },
  json: { ...system, isOptional: true },
};

export function fileKeys(form: string): readonly string[] {
  return [...Object.keys(ofEveryFile), ...(form === 'hash' ? [] : [form])];
}

const isFolder = (named: unknown): boolean => /^[./]/.test(String(named));

export interface FilesFlow {
  readonly files: <File = Row>(
    service: string,
    options?: {
      readonly path?: string;
      readonly as?: 'text' | 'json' | 'yaml' | 'markdown' | 'xml' | 'image' | 'hash';
      readonly where?: Pattern;
    },
  ) => Observation<readonly File[]>;
}

export const filesCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  query: (named, own) => (isFolder(named) ? { folder: named, ...own } : { service: named, ...own }),
  source: ({ service, folder, path }) => `files ${String(service ?? folder)} ${String(path ?? '**')}`,
  target: (written) => (isFolder(written) ? undefined : serviceTarget(written)),
  readsResources: ['volume'],
  parties: serviceParty,
  sourceKey: 'path',
  forms: { path: 'glob' },
  formOf: (key) => (Object.hasOwn(ofEveryFile, key) ? undefined : key),
  change: 'file',
  unwanted: { path: 'elsewhere/file.txt', op: 'created' },
  operations: ['created', 'changed', 'deleted'],
  fields: () => ({ ...ofEveryFile, ...forms }),
  // A reference may become any form.
  keys: ({ as = 'hash' }) => (String(as).includes('${') ? undefined : fileKeys(String(as))),
  flow: (service: string, options: Spec) => ({ files: service, ...options }),
  madeBy: 'service',
  unread: 'stored',
  filters: ({ path }) => {
    // A path of another folder of the service, `home:…`, is shown without its beginning.
    const glob = typeof path === 'string' && !path.includes(':') ? globExpression(path) : undefined;
    return glob === undefined ? [] : [['path', glob]];
  },
};
