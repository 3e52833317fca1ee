/** Gathers what the trials of a suite take for granted of the running system. */
import type { CorrelateQuery } from '../../../checks/derived/derived-queries.ts';
import type { CheckRecord } from '../../../checks/trial-record.ts';
import type { McpStep } from '../../../drivers/mcp/mcp-step.ts';
import type { System } from '../../../system/system.ts';
import { driverStep } from '../../../trials/perform/driver-step.ts';
import type { Step, Trial, TrialPart } from '../../../trials/trial.ts';
import { placeOfPart } from '../place-of-part.ts';
import type { SuiteModule } from '../suite/suite-modules.ts';
import type { Claims, EndpointClaim, ScriptClaim, TableClaim, ToolClaim } from './claims.ts';
import { expectsAbsence, expectsToolError } from './expected-refusal.ts';
import { flowClaims } from './flow-claims.ts';
import { spokenColumns } from './spoken-columns.ts';

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

/** Peers that we play ourselves have every endpoint. */
function endpointClaims(trial: Trial, { services, folder }: System): readonly EndpointClaim[] {
  return stepsOf(trial, 'http').flatMap(({ step, driven }) => {
    const { target, method, path, headers = {} } = driven as unknown as EndpointClaim;
    const [service] = target.split('.');
    if (!services.some(({ name }) => name === service)) return [];
    return [
      {
        trial,
        place: placeOfPart(trial, { step: step.name }, folder),
        target,
        method,
        path,
        headers,
        isMeantToFail: expectsAbsence(trial, step.name),
      },
    ];
  });
}

function toolClaims(trial: Trial, folder: string): readonly ToolClaim[] {
  return stepsOf(trial, 'mcp').flatMap(({ step, driven }) => {
    const { target, stdio, transport, path, era, tool, args } = driven as McpStep;
    if (tool === undefined) return [];
    return [
      {
        trial,
        place: placeOfPart(trial, { step: step.name }, folder),
        server: {
          ...(target === undefined ? {} : { target }),
          ...(stdio === undefined ? {} : { stdio }),
          ...(transport === undefined ? {} : { transport }),
          ...(path === undefined ? {} : { path }),
          ...(era === undefined ? {} : { era }),
          folder: step.folder,
        },
        tool,
        args,
        isMeantToFail: expectsToolError(trial, step.name),
      },
    ];
  });
}

function stepsOf(
  { steps }: Trial,
  kind: 'http' | 'mcp',
): readonly { readonly step: Step; readonly driven: Readonly<Record<string, unknown>> }[] {
  return steps.flatMap((step) => {
    const built = step.kind === kind ? driverStep(kind, step.spec) : undefined;
    return built && 'step' in built ? [{ step, driven: built.step }] : [];
  });
}

function tableClaims(trial: Trial, folder: string): readonly TableClaim[] {
  const waits = trial.steps.flatMap(({ name, when }) =>
    when ? [{ check: when, part: { step: name } as TrialPart }] : [],
  );
  const checks = trial.record.checks.map((check) => ({ check, part: { check: check.id } as TrialPart }));
  return [...waits, ...checks].flatMap(({ check, part }) =>
    rowsIn(check).flatMap(({ query, expect }) => {
      const { service, table } = query as { readonly service?: unknown; readonly table?: unknown };
      if (typeof service !== 'string' || typeof table !== 'string' || `${service}${table}`.includes('${'))
        return [];
      return [
        {
          trial,
          ...('check' in (part as object) ? { check: check.id } : {}),
          place: placeOfPart(trial, part, folder),
          service,
          table,
          columns: spokenColumns(query, expect),
        },
      ];
    }),
  );
}

/** One of its own, or those in which an id is looked for. */
function rowsIn({
  kind,
  query,
  expect,
}: CheckRecord): readonly { readonly query: CheckRecord['query']; readonly expect?: unknown }[] {
  if (kind === 'rows') return [{ query, expect }];
  if (kind !== 'correlate') return [];
  const { parts } = query as unknown as CorrelateQuery;
  return parts
    .filter((part) => part.kind === 'rows')
    .map(({ query: inner, column }) => ({
      query: { ...inner, ...(column === undefined ? {} : { column }) },
    }));
}

function scriptClaims(trial: Trial, { resources, folder }: System): readonly ScriptClaim[] {
  const models = resources.filter(({ kind }) => kind === 'model').map(({ name }) => name);
  return Object.entries(trial.scripts).flatMap(([model, script]) => {
    if (!models.includes(model)) return [];
    return Object.entries(script as Readonly<Record<string, readonly unknown[]>>).flatMap(([caller, lines]) =>
      lines.flatMap((line, index) =>
        callsIn(line).map(({ name, arguments: args }) => ({
          trial,
          place: placeOfPart(trial, { script: { resource: model, caller, index } }, folder),
          caller,
          model,
          tool: name,
          args,
        })),
      ),
    );
  });
}

export function callsIn(line: unknown): readonly { readonly name: string; readonly arguments: unknown }[] {
  const { calls } = (line ?? {}) as { readonly calls?: unknown };
  if (!Array.isArray(calls)) return [];
  return calls.filter((call) => typeof call?.name === 'string' && !call.name.includes('${'));
}
