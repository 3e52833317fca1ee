/** The arguments of a tool call: a complete JSON object, or the call is not made. */
import { hasDefect } from '../defects.ts';
import { type JsonObject, parseObject } from '../wire/json.ts';
import { Failure } from './failure.ts';

/** Tools without arguments come with nothing, with spaces, or with `null`. */
export function readArguments(tool: string, text: string): JsonObject {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return {};
  const args = parseObject(trimmed) ?? (hasDefect('runs-truncated-call') ? mended(trimmed) : undefined);
  if (args) return args;
  throw new Failure('provider', 'bad_arguments', `the arguments of ${tool} are no JSON object`);
}

/** The defect `runs-truncated-call`: half of a path is another path. */
function mended(text: string): JsonObject {
  return parseObject(`${text}"}`) ?? parseObject(`${text}}`) ?? {};
}
