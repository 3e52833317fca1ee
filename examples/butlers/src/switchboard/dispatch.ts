/** Delivers a message to its butlers: the model says which, each gets it once, and the outcome is recorded. */
import { log, reasonOf } from '../daemon/log.ts';
import { createQueue } from '../daemon/queue.ts';
import type { ModelSettings } from '../daemon/settings.ts';
import type { Tracer } from '../daemon/spans.ts';
import { hasDefect } from '../defects.ts';
import { converse, type ToolOutcome } from '../model/conversation.ts';
import { askModel, type ToolUseBlock } from '../model/messages.ts';
import { type ButlerLine, butlerLine, type Delivery } from './butler-line.ts';
import type { DirectoryEntry } from './directory.ts';
import type { Inbox, Message, MessageStatus, Route } from './inbox.ts';
import { routeTool, routeToolName, routingPrompt } from './routing-prompt.ts';

interface Office {
  readonly directory: readonly DirectoryEntry[];
  readonly model: ModelSettings;
  readonly inbox: Inbox;
  readonly tracer: Tracer;
}

export interface Dispatcher {
  readonly full: boolean;
  /** Never rejects: failures are recorded in the inbox. */
  dispatch(message: Message): Promise<void>;
}

export function createDispatcher(office: Office): Dispatcher {
  const lines = new Map(office.directory.map((butler) => [butler.name, butlerLine(butler)]));
  const queue = createQueue({ width: 8, limit: 1_000 });
  return {
    get full() {
      return queue.full;
    },
    dispatch: (message) =>
      queue
        .run(() => bring(office, lines, message))
        .catch((error: unknown) => log.error(`session ${message.session} is stuck: ${reasonOf(error)}`)),
  };
}

type Lines = ReadonlyMap<string, ButlerLine>;

/** One span for each time that a message is processed; all calls for it are below. */
async function bring(office: Office, lines: Lines, message: Message): Promise<void> {
  const { inbox, tracer } = office;
  const { session, eventId } = message;
  const attributes = { 'session.id': session, 'event.id': eventId };
  const span = { name: 'message', parent: message.traceparent, attributes };
  try {
    await tracer.within(span, ({ traceparent }) => workOff(office, lines, { ...message, traceparent }));
  } catch (error) {
    log.error(`session ${session} failed: ${reasonOf(error)}`);
    await inbox.finish(session, { status: 'failed', error: reasonOf(error) });
  }
}

async function workOff(office: Office, lines: Lines, message: Message): Promise<void> {
  const { inbox } = office;
  const { session } = message;
  const known = await inbox.routesOf(session);
  const answer =
    known.length === 0 ? await classify(office, lines, message) : await resume(office, lines, message);
  const routes = await inbox.routesOf(session);
  if (hasDefect('unknown-input-crash')) setImmediate(() => log.info(`first was ${nameOf(routes[0])}`));
  const status = statusOf(routes);
  await inbox.finish(session, { status, answer });
  log.info(`session ${session} is ${status}`);
}

async function classify(office: Office, lines: Lines, message: Message): Promise<string> {
  if (message.text.trim() === '') return 'The message says nothing.'; // a model refuses an empty message
  const served = new Set<string>();
  const { answer } = await converse({
    system: routingPrompt(office.directory),
    text: message.text,
    tools: [routeTool(office.directory)],
    ask: (request) => askModel(office.model, request, message.traceparent),
    runTools: async (calls) => {
      const texts = textsByButler(calls, lines, served);
      if (hasDefect('drops-second-butler')) for (const name of [...texts.keys()].slice(1)) texts.delete(name);
      // All of them before the first hand-over: after a crash in the middle, none is lost.
      await office.inbox.openRoutes(message.session, texts);
      const outcomes = new Map<string, ToolOutcome>();
      const deliveries = [...texts].map(async ([butler, text]) => {
        served.add(butler);
        outcomes.set(butler, toOutcome(butler, await deliver(office, lines, message, { butler, text })));
      });
      await Promise.all(deliveries);
      return calls.map((call) => outcomes.get(String(call.input.butler)) ?? refuse(call, lines));
    },
  });
  return answer;
}

/** A started message is finished along the same routes, without asking the model again. */
async function resume(office: Office, lines: Lines, message: Message): Promise<string> {
  for (const route of await office.inbox.routesOf(message.session)) {
    if (route.status !== 'delivered') await deliver(office, lines, message, route);
  }
  const routes = await office.inbox.routesOf(message.session);
  return routes.map(({ answer }) => answer ?? '').join('\n');
}

/** Several parts of one message for the same butler are handed over together. */
function textsByButler(
  calls: readonly ToolUseBlock[],
  lines: Lines,
  served: ReadonlySet<string>,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, input } of calls) {
    const butler = String(input.butler);
    if (name !== routeToolName || !lines.has(butler) || served.has(butler)) continue;
    const before = texts.get(butler);
    texts.set(butler, before === undefined ? String(input.text) : `${before}\n${input.text}`);
  }
  return texts;
}

async function deliver(
  { inbox }: Office,
  lines: Lines,
  message: Message,
  route: { butler: string; text: string },
): Promise<Delivery> {
  const { session, eventId, traceparent } = message;
  const line = lines.get(route.butler);
  const delivery: Delivery = line
    ? await line.deliver({ text: route.text, session, event_id: eventId }, traceparent)
    : { status: 'target_unavailable', error: `there is no butler ${route.butler} any more` };
  await inbox.closeRoute(session, route.butler, delivery);
  const level = delivery.status === 'delivered' ? log.info : log.warn;
  const reason = delivery.status === 'delivered' ? '' : `: ${delivery.error}`;
  level(`session ${session} to ${route.butler}: ${delivery.status}${reason}`);
  return delivery;
}

function toOutcome(butler: string, delivery: Delivery): ToolOutcome {
  if (delivery.status === 'delivered') return { ok: true, result: `${butler} answered: ${delivery.answer}` };
  return { ok: false, result: `${delivery.status}: ${butler}: ${delivery.error}` };
}

function refuse({ name, input }: ToolUseBlock, lines: Lines): ToolOutcome {
  if (name !== routeToolName) return { ok: false, result: `there is no tool ${name}` };
  if (lines.has(String(input.butler)))
    return { ok: false, result: `${input.butler} has this message already` };
  return { ok: false, result: `there is no butler ${input.butler}, only ${[...lines.keys()].join(', ')}` };
}

/** Half of the defect `unknown-input-crash`: it relies on a route that a message for no butler does not have. */
function nameOf(route: Route | undefined): string {
  return (route as Route).butler;
}

function statusOf(routes: readonly Route[]): MessageStatus {
  if (routes.length === 0) return 'unrouted';
  return routes.every(({ status }) => status === 'delivered') ? 'done' : 'undelivered';
}
