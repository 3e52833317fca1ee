/** Converts the scripts of a trial, as written, for models and third parties, into the lines of each resource. */
import { nearest, unknownName } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { headOf } from '../../kernel/references.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { buildModelLine } from '../../system/build/build-model-line.ts';
import { buildPeerLine } from '../../system/build/build-peer-line.ts';
import { patternProblems } from '../../system/check/pattern-problems.ts';
import {
  type ModelLineDocument,
  modelLineDocument,
  modelLineTexts,
  modelRequestKeys,
} from '../../system/document/model-line-document.ts';
import {
  type PeerLineDocument,
  peerLineDocument,
  peerRequestKeys,
} from '../../system/document/peer-line-document.ts';
import type { System } from '../../system/system.ts';
import { unknownShape } from './build-disturb.ts';
import { linesOf, type WrittenLines } from './case-lines.ts';
import type { Case } from './cases.ts';
import { requestProblems } from './form-problems.ts';
import { type Placed, problemAt, type RawMap, shapeProblems } from './placed.ts';
import { type Names, referenceProblems } from './reference-problems.ts';

export interface BuiltScripts {
  /** By resource; plain data, `${…}` still in it. */
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Their references to results of steps. */
  readonly awaits: readonly string[];
  /** The positions of a model's lines for a caller. */
  readonly places: readonly ScriptPlace[];
  readonly problems: readonly Problem[];
}

export interface ScriptPlace {
  readonly resource: string;
  readonly caller: string;
  readonly lines: Placed<unknown>;
}

type Built = Omit<BuiltScripts, 'awaits' | 'places'>;

export type Lines = Readonly<Record<string, WrittenLines>>;

/** `fill` fills in the case's values. */
export interface ScriptParts {
  readonly root: Placed<unknown>;
  /** Its script may be in another file. */
  readonly model: { readonly lines: Lines; readonly root: Placed<unknown> } | undefined;
  readonly peers: Lines | undefined;
  readonly names: Names;
  readonly one: Case;
  fill(value: RawMap): RawMap;
}

export function buildScripts(parts: ScriptParts): BuiltScripts {
  const models = buildModels(parts);
  const peers = buildPeers(parts);
  const scripts = { ...models.scripts, ...peers.scripts };
  return {
    scripts,
    awaits: [...new Set(referencesIn(scripts).map(({ reference }) => reference))].filter((reference) =>
      parts.names.steps.includes(headOf(reference)),
    ),
    places: models.places,
    problems: [...models.problems, ...peers.problems],
  };
}

function buildModels({
  root: trial,
  model,
  names,
  one,
  fill,
}: ScriptParts): Built & Pick<BuiltScripts, 'places'> {
  const problems: Problem[] = [];
  const scripts: Record<string, Record<string, unknown[]>> = {};
  const places: ScriptPlace[] = [];
  if (!model) return { scripts, places, problems };
  const { root } = model;
  for (const [written, lines] of Object.entries(model.lines)) {
    // A key may hold `${case.…}`, too.
    const target = modelTarget(String(fill({ key: written }).key), names.system);
    if (typeof target === 'string') {
      problems.push(unknownCaller(root, ['model', written], written, target, names.system));
      continue;
    }
    const found = linesOf({ ...root, value: lines, path: ['model', written] }, trial, one, fill);
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const { list } = found;
    const built = found.lines.map((line, index) => {
      const placed = { ...list, value: fill(line), path: [...list.path, index] };
      problems.push(...modelLineProblems(placed, names));
      return placed.value as ModelLineDocument;
    });
    if (problems.length > 0) continue;
    places.push({ ...target, lines: list });
    scripts[target.resource] ??= {};
    (scripts[target.resource] as Record<string, unknown[]>)[target.caller] = built.map(buildModelLine);
  }
  return { scripts, places, problems };
}

function modelLineProblems(placed: Placed<RawMap>, names: Names): Problem[] {
  const { when, expect, shape } = placed.value;
  return [
    ...shapeProblems(placed, modelLineDocument, (key) => modelLineTexts.includes(key)),
    ...(when === undefined ? [] : patternProblems(when, [...placed.path, 'when'], placed.source)),
    ...(expect === undefined ? [] : patternProblems(expect, [...placed.path, 'expect'], placed.source)),
    ...['when', 'expect'].flatMap((part) => requestProblems(placed, part, modelRequestKeys)),
    ...(typeof shape === 'string' ? unknownShape(placed, ['shape'], shape) : []),
    ...referenceProblems(placed, { ...names, request: modelRequestKeys }),
  ];
}

/** `caller`, or `caller -> resource`; what is wrong with it otherwise. */
function modelTarget(
  written: string,
  { resources, services }: System,
): { readonly caller: string; readonly resource: string } | string {
  const models = namesOf(resources, 'model');
  const [caller = '', named] = written.split('->').map((end) => end.trim());
  const resource = named ?? (models.length === 1 ? models[0] : undefined);
  if (models.length === 0) return 'the config declares no resource of the kind `model`';
  if (resource === undefined) return `there are several models: ${models.join(', ')}`;
  if (!models.includes(resource)) return `there is no model \`${resource}\``;
  if (caller !== '*' && caller !== 'outside' && !services.some(({ name }) => name === caller))
    return `no service is called \`${caller}\``;
  return { caller, resource };
}

function namesOf(resources: System['resources'], party: 'model' | 'peer'): readonly string[] {
  return resources.filter((one) => resourceKind(one).party === party).map(({ name }) => name);
}

function unknownCaller(
  root: Placed<unknown>,
  path: readonly string[],
  written: string,
  what: string,
  { services, resources }: System,
): Problem {
  const models = namesOf(resources, 'model');
  const callers = ['*', ...services.map(({ name }) => name)];
  const allowed =
    models.length > 1 ? models.flatMap((name) => callers.map((caller) => `${caller} -> ${name}`)) : callers;
  const guess = models.length === 0 ? undefined : nearest(written, allowed);
  return problemAt(root, 'key', path, {
    code: 'config.unknown-name',
    what,
    allowed:
      models.length === 0 ? 'a script for a model that the config declares' : allowed.slice(0, 20).join(', '),
    next: guess
      ? `did you mean \`${guess}\`?`
      : models.length === 0
        ? 'add `resources: { model: { kind: model } }` to the config'
        : 'name the service that calls the model',
  });
}

function buildPeers({ root, peers, names, one, fill }: ScriptParts): Built {
  const problems: Problem[] = [];
  const known = namesOf(names.system.resources, 'peer');
  const scripts: Record<string, unknown> = {};
  for (const [resource, lines] of Object.entries(peers ?? {})) {
    if (!known.includes(resource)) {
      problems.push(
        problemAt(root, 'key', ['peers', resource], {
          what: `there is no third party \`${resource}\``,
          ...unknownName(
            resource,
            known,
            'declare it in the config under `resources`',
            'the config declares no resource of the kind `http`',
          ),
        }),
      );
      continue;
    }
    const found = linesOf({ ...root, value: lines, path: ['peers', resource] }, root, one, fill);
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const { list } = found;
    const built = found.lines.map((line, index) => {
      const placed = { ...list, value: fill(line), path: [...list.path, index] };
      const { where } = placed.value;
      problems.push(
        ...shapeProblems(placed, peerLineDocument, (key) => key !== 'on' && key !== 'times'),
        ...(where === undefined ? [] : patternProblems(where, [...placed.path, 'where'], placed.source)),
        ...requestProblems(placed, 'where', peerRequestKeys),
        ...referenceProblems(placed, { ...names, request: peerRequestKeys }),
      );
      return placed.value as PeerLineDocument;
    });
    if (problems.length === 0) scripts[resource] = built.map(buildPeerLine);
  }
  return { scripts, problems };
}
