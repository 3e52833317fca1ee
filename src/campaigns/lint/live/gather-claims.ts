/** Collects what the trials of a suite assume about the running system. */
import path from 'node:path';
import type { CorrelateQuery } from '../../../checks/derived-queries.ts';
import type { CheckRecord } from '../../../checks/trial-record.ts';
import type { McpStep } from '../../../drivers/mcp/mcp-step.ts';
import { defined } from '../../../kernel/defined.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { checkKind } from '../../../kinds/check-kinds.ts';
import { stepKind } from '../../../kinds/step-kinds.ts';
import { spokenKeys } from '../../../observers/spoken-keys.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { inTrial } from '../rule.ts';
import { isOpen, type ModuleCall } from '../suite/scan-module.ts';
import { inModule, type SuiteModule } from '../suite/suite-modules.ts';
import type { Claims, EndpointClaim, ScriptClaim, TableClaim, ToolClaim } from './claims.ts';
import { expectsAbsence, expectsToolError } from './expected-refusal.ts';

export function gatherClaims(
  system: System,
  trials: readonly Trial[],
  modules: readonly SuiteModule[],
): Claims {
  const { folder } = system;
  const flows = flowClaims(modules);
  return {
    endpoints: trials.flatMap((trial) => endpointClaims(trial, system)),
    tools: [...trials.flatMap((trial) => toolClaims(trial, folder)), ...flows.tools],
    tables: [...trials.flatMap((trial) => tableClaims(trial, folder)), ...flows.tables],
    scripts: trials.flatMap((trial) => scriptClaims(trial, system)),
    openFlows: trials.filter(({ record }) => record.kind === 'flow').length,
  };
}

/** Peers that we play have every endpoint. */
function endpointClaims(trial: Trial, { services, folder }: System): readonly EndpointClaim[] {
  return stepsOf(trial, 'http').flatMap(({ step, driven }) => {
    const { target, method, path: at, headers = {} } = driven as unknown as EndpointClaim;
    const [service] = target.split('.');
    if (!services.some(({ name }) => name === service)) return [];
    const place = inTrial(trial, folder, { step: step.name });
    const isMeantToFail = expectsAbsence(trial, step.name);
    return [{ place, target, method, path: at, headers, isMeantToFail }];
  });
}

function toolClaims(trial: Trial, folder: string): readonly ToolClaim[] {
  return stepsOf(trial, 'mcp').flatMap(({ step, driven }) => {
    const { target, stdio, transport, path: at, era, tool, args } = driven as McpStep;
    if (tool === undefined) return [];
    const place = inTrial(trial, folder, { step: step.name });
    const server = { ...defined({ target, stdio, transport, path: at, era }), folder: step.folder };
    return [{ place, server, tool, args, isMeantToFail: expectsToolError(trial, step.name) }];
  });
}

function stepsOf({ steps }: Trial, kind: 'http' | 'mcp') {
  return steps.flatMap((step) => {
    const built = step.kind === kind ? stepKind(kind).toDriver?.(step.spec) : undefined;
    return built && 'step' in built ? [{ step, driven: built.step }] : [];
  });
}

function tableClaims(trial: Trial, folder: string): readonly TableClaim[] {
  const waits = trial.steps.flatMap(({ name, when }) =>
    when ? [{ check: when, place: inTrial(trial, folder, { step: name }) }] : [],
  );
  const checks = trial.record.checks.map((check) => ({
    check,
    place: { ...inTrial(trial, folder, { check: check.id }), check: check.id },
  }));
  return [...waits, ...checks].flatMap(({ check, place }) =>
    rowsIn(check).flatMap(({ query, expect }) => {
      const { service, table } = query as { readonly service?: unknown; readonly table?: unknown };
      if (typeof service !== 'string' || typeof table !== 'string' || isOpen(`${service}${table}`)) return [];
      return [{ place, service, table, columns: spokenColumns(query, expect) }];
    }),
  );
}

/** A condition of its own, or those in which an id is looked up. */
function rowsIn({ kind, query, expect }: CheckRecord) {
  if (checkKind(kind)?.comparesAsSql) return [{ query, expect }];
  if (kind !== 'correlate') return [];
  const { parts } = query as unknown as CorrelateQuery;
  return parts
    .filter((part) => checkKind(part.kind)?.comparesAsSql)
    .map(({ query: inner, column }) => ({ query: { ...inner, ...defined({ column }) }, expect: undefined }));
}

function scriptClaims(trial: Trial, { resources, folder }: System): readonly ScriptClaim[] {
  const models = resources.filter(({ kind }) => kind === 'model').map(({ name }) => name);
  return Object.entries(trial.scripts).flatMap(([model, script]) =>
    models.includes(model)
      ? toolsIn(model, script as ModelScript, (caller, index) =>
          inTrial(trial, folder, { script: { resource: model, caller, index } }),
        )
      : [],
  );
}

type ModelScript = Readonly<Record<string, readonly unknown[]>>;

/** The tools that the lines of a script call; `placeOf` finds a line. */
export function toolsIn<PlaceOf>(
  model: string,
  script: ModelScript,
  placeOf: (caller: string, index: number) => PlaceOf,
): readonly (Omit<ScriptClaim, 'place'> & { readonly place: PlaceOf })[] {
  return Object.entries(script).flatMap(([caller, lines]) =>
    lines.flatMap((line, index) => {
      const { calls } = (line ?? {}) as { readonly calls?: unknown };
      const known = (Array.isArray(calls) ? calls : []).filter(
        ({ name }) => typeof name === 'string' && !isOpen(name),
      );
      return known.map(({ name, arguments: args }) => ({
        place: placeOf(caller, index),
        ...{ caller, model, tool: String(name), args },
      }));
    }),
  );
}

function flowClaims(modules: readonly SuiteModule[]) {
  const ofFlows = modules.filter(({ flows }) => flows.length > 0);
  return {
    tools: ofFlows.flatMap((module) => module.scan.calls.flatMap((call) => toolClaim(call, module))),
    tables: ofFlows.flatMap((module) => module.scan.calls.flatMap((call) => tableClaim(call, module))),
  };
}

function toolClaim(
  { callee, receiver = [], args: [tool, args, options], line }: ModuleCall,
  module: SuiteModule,
): readonly ToolClaim[] {
  const [target] = receiver;
  if (!/(?:^|\.)mcp\(\)\.call$/.test(callee) || typeof target !== 'string') return [];
  if (typeof tool !== 'string') return [];
  return [
    {
      place: inModule(module, line),
      server: { target, folder: path.dirname(module.file) },
      tool,
      args: args ?? {},
      // Its expectation is in code; a flow that lets it fail may intend to.
      isMeantToFail: options !== undefined,
    },
  ];
}

function tableClaim(
  { callee, args: [source, where, options], line }: ModuleCall,
  module: SuiteModule,
): readonly TableClaim[] {
  if (!/(?:^|\.)rows$/.test(callee) || typeof source !== 'string') return [];
  const [service = '', ...table] = source.split('.');
  const query = { where: isOpen(where) ? undefined : where, ...(isMap(options) ? options : {}) };
  const columns = spokenColumns(query, undefined);
  return [{ place: inModule(module, line), service, table: table.join('.'), columns }];
}

type RowsParts = { readonly [Key in 'where' | 'columns' | 'orderBy' | 'column']?: unknown };

/** The columns that a `rows` check refers to: in its condition, its order, its selection and its expectation. */
function spokenColumns(query: RowsParts, expect: unknown) {
  // `key` is the key of the check that contains it.
  const named = (key: string, names: readonly string[]) => names.map((name) => ({ name, key }));
  const all = [
    ...named('where', spokenKeys(query.where)),
    ...named('columns', Array.isArray(query.columns) ? query.columns.map(String) : []),
    ...named('orderBy', typeof query.orderBy === 'string' ? orderedBy(query.orderBy) : []),
    ...named('column', typeof query.column === 'string' ? [query.column] : []),
    ...named('expect', elementPatterns(expect).flatMap(spokenKeys)),
  ];
  const plain = all.filter(({ name }) => !name.includes('${'));
  return [...new Map(plain.map((one) => [JSON.stringify(one), one])).values()];
}

function orderedBy(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim().replace(/\s+(?:asc|desc)$/i, ''));
}

/** Of a pattern for a list: the patterns for its elements. */
function elementPatterns(pattern: unknown): readonly unknown[] {
  if (Array.isArray(pattern)) return pattern;
  if (typeof pattern !== 'object' || pattern === null) return [];
  return Object.entries(pattern).flatMap(([key, inner]) => {
    if (key === '$each' || key === '$some') return [inner];
    if (key === '$unordered' || key === '$contains') return Array.isArray(inner) ? inner : [inner];
    if (key === '$any' || key === '$all') return Array.isArray(inner) ? inner.flatMap(elementPatterns) : [];
    return key === '$not' ? elementPatterns(inner) : [];
  });
}
