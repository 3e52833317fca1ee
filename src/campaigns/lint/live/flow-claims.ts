/** What flows say in plain words of tools and tables: `mcp('health').call('symptom_log', …)`, `rows('health.symptoms', …)`. */

import path from 'node:path';
import { isContainer } from '../../../kernel/exact-json.ts';
import { isOpen } from '../suite/literal-value.ts';
import type { ModuleCall } from '../suite/scan-module.ts';
import type { SuiteModule } from '../suite/suite-modules.ts';
import type { TableClaim, ToolClaim } from './claims.ts';
import { spokenColumns } from './spoken-columns.ts';

export function flowClaims(modules: readonly SuiteModule[]): {
  readonly tools: readonly ToolClaim[];
  readonly tables: readonly TableClaim[];
} {
  return {
    tools: modules.flatMap((module) => module.scan.calls.flatMap((call) => toolClaim(call, module))),
    tables: modules.flatMap((module) => module.scan.calls.flatMap((call) => tableClaim(call, module))),
  };
}

function toolClaim(
  { callee, receiver = [], args: [tool, args, options], line }: ModuleCall,
  { shown, file, flows: [trial] }: SuiteModule,
): readonly ToolClaim[] {
  const [target] = receiver;
  if (!/(?:^|\.)mcp\(\)\.call$/.test(callee) || !trial || typeof target !== 'string') return [];
  if (typeof tool !== 'string') return [];
  return [
    {
      trial,
      place: { file: shown, line },
      server: { target, folder: path.dirname(file) },
      tool,
      args: args === undefined ? {} : args,
      // What is expected of it stands in code; whoever lets it fail may mean it to.
      isMeantToFail: options !== undefined,
    },
  ];
}

function tableClaim(
  { callee, args: [source, where, options], line }: ModuleCall,
  { shown, flows: [trial] }: SuiteModule,
): readonly TableClaim[] {
  if (!/(?:^|\.)rows$/.test(callee) || !trial || typeof source !== 'string') return [];
  const [service = '', ...table] = source.split('.');
  const query = { where: isOpen(where) ? undefined : where, ...(isMap(options) ? options : {}) };
  return [
    {
      trial,
      place: { file: shown, line },
      service,
      table: table.join('.'),
      columns: spokenColumns(query, undefined),
    },
  ];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}
