/** What has changed about a request since it was recorded, in sentences. Pure. */
import { isMap } from '../../../kernel/is-map.ts';
import { printValue } from '../../../patterns/print-value.ts';
import { routeCall } from '../../../protocols/questions/question-table.ts';
import { textDifference, valueDifference } from '../../cassette/value-difference.ts';
import type { ModelCall } from '../model-call.ts';
import { withoutCacheMarks } from './cache-marks.ts';
import { withoutCallIds } from './call-ids.ts';
import type { RecordedCall, RequestParts } from './cassette.ts';

/** A sentence for each part that changed, the most informative first; none where it is the same request. */
export function explainDrift(...requests: readonly [RequestParts, RequestParts]): readonly string[] {
  const [recorded, now] = [withoutCacheMarks(requests[0]), withoutCacheMarks(requests[1])];
  const [before = 'turn', after = 'turn'] = [recorded.asks, now.asks];
  const inMessages = messageDrift(withoutCallIds(recorded.messages), withoutCallIds(now.messages));
  return [
    ...(before === after ? [] : [`what is asked for changed from ${before} to ${after}`]),
    ...(recorded.model === now.model ? [] : [`the model changed from ${recorded.model} to ${now.model}`]),
    ...textDifference(recorded.prompt.text, now.prompt.text).map(
      (how) => `the system prompt changed: ${how}`,
    ),
    ...toolDrift(recorded.tools, now.tools),
    ...inMessages,
    // Where messages came or went, the prompt is at another place.
    ...(inMessages.length > 0 ? [] : placeDrift(recorded.prompt, now.prompt)),
    ...parameterDrift(recorded.parameters, now.parameters),
  ];
}

type Prompt = RequestParts['prompt'];

function placeDrift({ messages: before }: Prompt, { messages: after }: Prompt): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const [place, placeNow] = [placeOf(before), placeOf(after)];
  if (place !== placeNow) return [`the system prompt moved: recorded ${place}, now ${placeNow}`];
  const [role, roleNow] = [before, after].map((said) => said.map((one) => one.role).join(', '));
  return role === roleNow ? [] : [`the role of the system prompt changed from ${role} to ${roleNow}`];
}

function placeOf(said: NonNullable<Prompt['messages']>): string {
  if (said.length === 0) return 'outside of the messages';
  return `before message ${said.map(({ before }) => before).join(', ')}`;
}

function toolDrift(recorded: RequestParts['tools'], now: RequestParts['tools']): readonly string[] {
  const removed = Object.keys(recorded).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(recorded, name));
  const changed = Object.keys(recorded).filter((name) => Object.hasOwn(now, name));
  return [
    ...removed.map((name) => `the tool ${name} is no longer offered`),
    ...added.map((name) => `the tool ${name} is new`),
    ...changed.flatMap((name) =>
      valueDifference(recorded[name], now[name]).map((how) => `the tool ${name} changed: ${how}`),
    ),
  ];
}

function messageDrift(recorded: readonly unknown[], now: readonly unknown[]): readonly string[] {
  const at = recorded.findIndex((message, index) => valueDifference(message, now[index]).length > 0);
  if (at !== -1 && at < now.length) {
    const [how = ''] = valueDifference(recorded[at], now[at]);
    return [`message ${at + 1} of ${now.length}${roleOf(now[at])} changed: ${how}`];
  }
  if (recorded.length === now.length) return [];
  return [`there are ${now.length} messages, and ${recorded.length} were recorded`];
}

function parameterDrift(
  recorded: RequestParts['parameters'],
  now: RequestParts['parameters'],
): readonly string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  const changed = names.filter((name) => valueDifference(recorded[name], now[name]).length > 0);
  return changed.map(
    (name) =>
      `the parameter ${name} changed from ${printValue(recorded[name], 60)} to ${printValue(now[name], 60)}`,
  );
}

function roleOf(message: unknown): string {
  return isMap(message) && typeof message.role === 'string' ? ` (${message.role})` : '';
}

/** What the address says, and the body does not: Gemini's has whether it is streamed, and in which form; Azure's the deployment. */
export function addressDrift(
  recorded: RecordedCall,
  { wire, request }: Pick<ModelCall, 'wire' | 'request'>,
): readonly string[] {
  const [before = {}, after = {}] = [recorded.request.path, wire.path].map(
    (path) => routeCall('POST', path)?.route,
  );
  const areNamed = before.model !== undefined && after.model !== undefined;
  const isOther = areNamed && before.model !== after.model && recorded.request.model === request.model;
  return [
    ...parameterDrift({ stream: before.stream }, { stream: after.stream }),
    ...(before.stream && after.stream ? formDrift(recorded, wire) : []),
    ...(isOther ? [`the deployment changed from ${before.model} to ${after.model}`] : []),
  ];
}

/** A refusal has the same form in any case. */
function formDrift({ response }: RecordedCall, { query }: ModelCall['wire']): readonly string[] {
  const { status, headers } = response;
  if (status >= 400) return [];
  const wasEvents = headers['content-type']?.startsWith('text/event-stream') === true;
  return parameterDrift(wasEvents ? { alt: 'sse' } : {}, query.alt === 'sse' ? { alt: 'sse' } : {});
}
