/** Loads the plugins of a config: asks each for its kinds, makes their documents, and refuses names that are taken. */
import type { z } from 'zod';
import { Problem, Problems } from '../kernel/problem.ts';
import { commonCheckKeys, commonStepKeys } from '../kinds/kind/keys-of-all.ts';
import type { PluginSpec, System } from '../system/system.ts';
import { describePlugin } from './describe-plugin.ts';
import type { PluginDescription } from './description.ts';
import { checkDocumentOf, stepDocumentOf } from './plugin-documents.ts';
import { PluginBroken } from './plugin-process.ts';

export interface LoadedPlugin {
  readonly spec: PluginSpec;
  readonly description: PluginDescription;
  /** By the key of the kind. */
  readonly documents: Readonly<Record<string, z.ZodObject>>;
}

/** `taken`: keys of our kinds, and names that a flow has. */
export async function loadPlugins(
  { plugins = [], folder, file }: System,
  taken: readonly string[],
): Promise<readonly LoadedPlugin[]> {
  const problems: Problem[] = [];
  const loaded: LoadedPlugin[] = [];
  const owners = new Map(taken.map((key) => [key, 'Shakedown']));
  for (const spec of plugins) {
    try {
      const description = await describePlugin(spec, folder);
      const { documents, faults } = documentsOf(description);
      const refused = [...nameProblems(spec, description, owners), ...faults];
      problems.push(...refused.map((what) => broken(file, spec, what)));
      loaded.push({ spec, description, documents });
    } catch (error) {
      if (!(error instanceof PluginBroken)) throw error;
      problems.push(broken(file, spec, error.message));
    }
  }
  if (problems.length > 0) throw new Problems(problems);
  return loaded;
}

function nameProblems(
  { name }: PluginSpec,
  { steps = {}, checks = {} }: PluginDescription,
  owners: Map<string, string>,
): readonly string[] {
  return [...Object.keys(steps), ...Object.keys(checks)].flatMap((key) => {
    const common = Object.hasOwn(commonStepKeys, key) || Object.hasOwn(commonCheckKeys, key);
    const owner = common ? 'every step or check' : owners.get(key);
    owners.set(key, `the plugin \`${name}\``);
    return owner === undefined
      ? []
      : [`the plugin \`${name}\` brings \`${key}\`, a name that ${owner} has already`];
  });
}

function documentsOf({ steps = {}, checks = {} }: PluginDescription) {
  const made = [
    ...Object.entries(steps).map(([key, step]) => [key, stepDocumentOf(key, step)] as const),
    ...Object.entries(checks).map(([key, check]) => [key, checkDocumentOf(key, check)] as const),
  ];
  const documents: Record<string, z.ZodObject> = {};
  const faults: string[] = [];
  for (const [key, one] of made) {
    if ('fault' in one) faults.push(`the kind \`${key}\`: ${one.fault}`);
    else documents[key] = one.document;
  }
  return { documents, faults };
}

function broken(file: string, { name, run }: PluginSpec, what: string): Problem {
  return new Problem({
    code: 'plugin.broken',
    where: `${file}, plugins.${name}`,
    what,
    allowed: 'a program that answers `describe` with kinds whose names are free',
    next: `try it: shakedown conformance ${name}  (it runs ${run.join(' ')})`,
  });
}
