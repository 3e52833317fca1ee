/** Adds the kinds of a config's plugins to the tables, before its trials are read; whatever reads a table knows them then. */
import type { z } from 'zod';
import { Problems } from '../../kernel/problem.ts';
import { driverNames, ourStepKeys } from '../../kinds/step-kinds.ts';
import { loadPlugins } from '../../plugins/load-plugins.ts';
import { unknownDriver } from '../../system/check/suite-problems.ts';
import type { System } from '../../system/system.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import { keepPlugins } from './added-plugins.ts';
import { addCheckRows, type CheckRow, ourCheckKeys } from './check-table.ts';
import { addStepRows, type StepRow } from './step-table.ts';

/** What a flow has beside the methods of kinds. */
const flowNames = [
  'trial',
  'service',
  'together',
  'url',
  'expect',
  'check',
] as const satisfies readonly (keyof FlowContext)[];

export async function addPlugins(system: System): Promise<void> {
  const { folder } = system;
  const plugins = await loadPlugins(system, [...ourStepKeys, ...ourCheckKeys, ...flowNames]);
  const steps: Record<string, StepRow> = {};
  const checks: Record<string, CheckRow> = {};
  for (const { spec, description, documents } of plugins) {
    // Loading has refused a kind without a document.
    const documentOf = (key: string): z.ZodObject => documents[key] as z.ZodObject;
    for (const [key, described] of Object.entries(description.steps ?? {}))
      steps[key] = {
        document: documentOf(key),
        load: async () =>
          (await import('../../plugins/plugin-driver.ts')).pluginDriver(spec, key, described, folder),
      };
    for (const [key, described] of Object.entries(description.checks ?? {}))
      checks[key] = {
        document: documentOf(key),
        load: async () =>
          (await import('../../plugins/plugin-observer.ts')).pluginObserver(spec, key, described, folder),
      };
  }
  addStepRows(steps);
  addCheckRows(checks);
  keepPlugins(plugins.map(({ description }) => description));
  refuseUnknownDrivers(system);
}

function refuseUnknownDrivers({ suite, file }: System): void {
  const names = driverNames();
  const unknown = (suite?.drivers ?? []).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Problems(unknown.map((name) => unknownDriver(name, names, `${file}, suite.drivers`)));
}
