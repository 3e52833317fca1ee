/** Who talked with which model in an attempt: turn by turn, with what the tools received and what they changed. */
import { type CallEvent, isStoreCall } from '../../../journal/call-event.ts';
import { isModelCall } from '../../../journal/is-model-call.ts';
import type { ModelCalled } from '../../../journal/peer-event.ts';
import { type AttemptEvent, eventsOf } from '../../../journal/trial-event.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { listIn } from '../plain-text.ts';
import type { Item } from '../sequence/items.ts';
import { laneOf } from '../sequence/lanes.ts';
import { type Message, messagesOf, toolsOf } from './messages.ts';

export interface Conversation {
  readonly agent: string;
  readonly model: string;
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly item: Item;
  readonly call: CallEvent;
  /** What the resource says of it: cost, the line of the script. */
  readonly known?: ModelCalled;
  /** All that the model saw, and how many of these it had seen before. */
  readonly messages: readonly Message[];
  readonly seenBefore: number;
  /** An earlier message is another one now. */
  readonly isRewritten: boolean;
  readonly tools: readonly string[];
  readonly uses: readonly ToolUse[];
}

/** A tool that the model called, and the call that its agent made of it, where one can be found. */
export interface ToolUse {
  readonly name: string;
  readonly given: unknown;
  readonly received?: Item;
  /** Statements and calls of the tool's side while it worked that write something. */
  readonly changes: readonly Item[];
}

export function conversationsOf(
  items: readonly Item[],
  events: readonly AttemptEvent[],
): readonly Conversation[] {
  const played = eventsOf(events, 'model.called');
  const asked = items.filter(
    ({ event }) => event.type === 'call' && (event.turn || messagesOf(event.request.json).length > 0),
  );
  const groups = Map.groupBy(asked, ({ from, to }) => JSON.stringify([from, to]));
  const used = new Set<number>();
  return [...groups.values()].map((group) => {
    const [{ from: agent, to: model } = { from: '', to: '' }] = group;
    let before: readonly Message[] = [];
    const turns = group.map((item, index) => {
      const call = item.event as CallEvent & { seq: number; at: number };
      const messages = messagesOf(call.request.json);
      const seenBefore = commonPrefix(before, messages);
      const isRewritten = before.length > 0 && seenBefore < Math.min(before.length, messages.length);
      before = messages;
      const until = group[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      const known = played.find((event) => isModelCall(event, call));
      const uses = listIn(call.turn?.calls).map(({ name, arguments: given, argumentsText }) =>
        toolUse(
          { agent, name, given: given ?? argumentsText, after: item.end ?? item.at, until },
          items,
          used,
        ),
      );
      return {
        item,
        call,
        messages,
        seenBefore,
        isRewritten,
        tools: toolsOf(call.request.json),
        uses,
        ...(known ? { known } : {}),
      };
    });
    return { agent, model, turns };
  });
}

function commonPrefix(a: readonly Message[], b: readonly Message[]): number {
  const length = a.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(b[index]));
  return length === -1 ? a.length : length;
}

interface Wanted {
  readonly agent: string;
  readonly name: string;
  readonly given: unknown;
  readonly after: number;
  readonly until: number;
}

function toolUse(
  { agent, name, given, after, until }: Wanted,
  items: readonly Item[],
  used: Set<number>,
): ToolUse {
  const received = items.find(
    ({ seq, from, at, event }) =>
      !used.has(seq) &&
      laneOf(from) === laneOf(agent) &&
      at >= after - 1 &&
      at <= until &&
      isCallOf(event, name),
  );
  if (!received) return { name, given, changes: [] };
  used.add(received.seq);
  const { at, end = at } = received;
  const changes = items.filter(
    (item) => laneOf(item.from) === laneOf(received.to) && item.at >= at && item.at <= end && isWrite(item),
  );
  return { name, given, received, changes };
}

function isCallOf(event: AttemptEvent, tool: string): boolean {
  if (event.type !== 'call') return false;
  const { method, params, path } = event;
  if (method === 'tools/call') return isMap(params) && params.name === tool;
  return event.statement === undefined && event.turn === undefined && path.split(/[/?]/).includes(tool);
}

const writes =
  /^(?:insert|update|delete|merge|copy|truncate|create|alter|drop|set|del|[hlsz]set|[lr]push|xadd|incr|append|expire|publish|zadd|sadd)\b/i;

function isWrite({ event }: Item): boolean {
  if (event.type !== 'call') return false;
  if (isStoreCall(event)) return writes.test((event.statement ?? '').trim());
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(event.method) && !event.turn;
}
