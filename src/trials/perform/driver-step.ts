/** Brings a step, with its references filled in, into the form that its driver takes. */

import { parseDuration } from '../../kernel/duration.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { parseSize } from '../../kernel/size.ts';
import type { StepKind } from '../document/step-documents.ts';
import type { RawMap } from '../read/placed.ts';

/** The step for the driver, or the sentence that says why it cannot be one. */
export function driverStep(kind: StepKind, spec: RawMap): { step: RawMap } | { fault: string } {
  switch (kind) {
    case 'http':
      return httpStep(spec);
    case 'tcp':
      return { step: renamed(spec, 'tcp', 'target') };
    case 'on':
      return {
        step: {
          ...withoutKey(spec, 'on'),
          ...(spec.sendRaw === undefined ? {} : { sendRaw: rawBytes(spec.sendRaw) }),
        },
      };
    case 'mcp':
      return { step: mcpStep(spec) };
    case 'command':
      return {
        step: { ...withoutKey(spec, 'command'), argv: argvOf(spec.command), ...textsOf(spec, 'env') },
      };
    default:
      return { fault: `a \`${kind}\` step has no driver` };
  }
}

function httpStep(spec: RawMap): { step: RawMap } | { fault: string } {
  const [, method, target, rest = '/'] =
    /^([A-Z]+) ([a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?)([/?].*)?$/s.exec(String(spec.http)) ?? [];
  if (method === undefined || target === undefined)
    return { fault: `\`${String(spec.http)}\` is no METHOD service/path` };
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return {
    step: {
      ...withoutKey(spec, 'http'),
      method,
      target,
      path,
      ...textsOf(spec, 'headers'),
      ...textsOf(spec, 'query'),
      ...textsOf(spec, 'form'),
    },
  };
}

function mcpStep(spec: RawMap): RawMap {
  const { mcp } = spec;
  const rest = { ...withoutKey(spec, 'mcp'), ...textsOf(spec, 'headers') };
  if (typeof mcp !== 'object' || mcp === null) return { ...rest, target: mcp };
  return { ...rest, stdio: argvOf((mcp as RawMap).stdio), ...textsOf(mcp as RawMap, 'env') };
}

function argvOf(written: unknown): readonly string[] {
  return Array.isArray(written) ? written.map(String) : ['sh', '-c', String(written)];
}

/** Headers, fields and variables are texts, whatever was written. */
function textsOf(spec: RawMap, key: string): RawMap {
  const value = spec[key];
  if (!isContainer(value)) return {};
  return { [key]: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, String(inner)])) };
}

function rawBytes(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(rawBytes);
  if (typeof written === 'string') return { text: written };
  if (!isContainer(written)) return written;
  const { bytes, pause, then, ...rest } = written as RawMap;
  return {
    ...rest,
    ...(bytes === undefined ? {} : { bytes: typeof bytes === 'string' ? parseSize(bytes) : bytes }),
    ...(pause === undefined ? {} : { pauseMs: parseDuration(String(pause)) }),
    ...(then === undefined ? {} : { then: rawBytes(then) }),
  };
}

function renamed(spec: RawMap, from: string, to: string): RawMap {
  return { ...withoutKey(spec, from), [to]: spec[from] };
}

function withoutKey(spec: RawMap, key: string): RawMap {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => name !== key));
}
