/** How a butler processes a message: it asks the model, calls the tools that the model names, and logs the session. */
import type { Pool, PoolClient } from '../daemon/database.ts';
import { log, reasonOf } from '../daemon/log.ts';
import { createQueue } from '../daemon/queue.ts';
import type { ModelSettings } from '../daemon/settings.ts';
import type { Tracer } from '../daemon/spans.ts';
import type { TraceContext } from '../daemon/trace.ts';
import { hasDefect } from '../defects.ts';
import type { Manifest } from '../manifest.ts';
import { type Conversation, converse, type ToolOutcome } from '../model/conversation.ts';
import type { ToolUseBlock } from '../model/messages.ts';
import { ask } from './ask.ts';
import type { Desk } from './desk.ts';
import type { OwnTools } from './own-tools.ts';
import { closeSession, failSession, openSession, type Session } from './session-log.ts';
import { type Tool, toDefinition } from './tool.ts';

export interface Butler {
  readonly manifest: Manifest;
  readonly model: ModelSettings;
  readonly pool: Pool;
  readonly tracer: Tracer;
  readonly tools: readonly Tool[];
  readonly ownTools: OwnTools;
  readonly desk: Desk;
}

export interface Work {
  readonly status: 'done' | 'duplicate';
  readonly answer: string;
}

interface Task extends Omit<Session, 'traceparent'> {
  readonly text: string;
  readonly trace: TraceContext;
}

/** Messages are processed one at a time, so that one can build on what the one before has written. */
export function createWorker(butler: Butler): (task: Task) => Promise<Work> {
  const queue = createQueue({ width: hasDefect('not-serial') ? 8 : 1, limit: 1_000 });
  let before = 'none';
  return (task) =>
    queue.run(() => {
      const rowsOf = hasDefect('wrong-session') ? before : task.id;
      before = task.id;
      return work(butler, task, rowsOf);
    });
}

async function work(butler: Butler, task: Task, rowsOf: string): Promise<Work> {
  const { pool, desk, manifest } = butler;
  const { id, trace } = task;
  const { doneBefore } = await openSession(pool, { ...task, traceparent: trace.traceparent });
  if (doneBefore) {
    log.info(`${manifest.name} session ${id} was done before`);
    return { status: 'duplicate', answer: doneBefore.answer };
  }
  log.info(`${manifest.name} session ${id} begins, trace ${trace.traceId}`);
  try {
    const { answer, toolCalls } = await inTransaction(pool, async (database) => {
      const conversation = await desk.whileOpen(id, { database, rowsOf }, () => talk(butler, task));
      await closeSession(database, id, conversation);
      return conversation;
    });
    if (hasDefect('late-write')) setTimeout(() => void writeAgain(butler, id, toolCalls), lateMs);
    const names = toolCalls.map((call) => (call.ok ? call.name : `${call.name} (refused)`));
    log.info(`${manifest.name} session ${id} is done, tools: ${names.join(', ') || 'none'}`);
    return { status: 'done', answer };
  } catch (error) {
    // When the database itself is gone, the session stays open and is resumed when the message is sent again.
    await failSession(pool, id, reasonOf(error)).catch((failure: unknown) =>
      log.warn(`${manifest.name} session ${id} stays open: ${reasonOf(failure)}`),
    );
    throw error;
  }
}

const lateMs = 300;

async function writeAgain(
  { tools, pool }: Butler,
  session: string,
  calls: Conversation['toolCalls'],
): Promise<void> {
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    if (call.ok && tool !== undefined) await tool.run(call.arguments, { database: pool, session });
  }
}

function talk(butler: Butler, { id, text, trace }: Task): Promise<Conversation> {
  const { manifest, model, tools } = butler;
  return converse({
    system: `You are the ${manifest.name} butler of a household. ${manifest.description} Use your tools to record what you are told, then answer in one or two sentences.`,
    text,
    tools: tools.map(toDefinition),
    ask: (request) => ask(model, request, trace.traceparent),
    async runTools(calls) {
      const outcomes: ToolOutcome[] = [];
      for (const call of calls) outcomes.push(await callTool(butler, call, id, trace));
      return outcomes;
    },
  });
}

/** Only the failed tool is rolled back, and the model gets the reason; the session goes on. */
async function callTool(
  { manifest, ownTools }: Butler,
  call: ToolUseBlock,
  session: string,
  trace: TraceContext,
): Promise<ToolOutcome> {
  const reads = manifest.tools.some(({ name, action }) => name === call.name && action === 'read');
  if (hasDefect('tool-reported-not-made') && reads) return { ok: true, result: '[]' };
  const input = hasDefect('arguments-altered') ? roundNumbers(call.input) : call.input;
  const outcome = await ownTools.call({ name: call.name, input }, session, trace);
  if (outcome.ok) return outcome;
  log.warn(`session ${session}: tool ${call.name} was refused: ${outcome.result}`);
  return hasDefect('error-swallowed') ? { ok: true, result: 'done' } : outcome;
}

function roundNumbers(input: ToolUseBlock['input']): ToolUseBlock['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === 'number' ? Math.round(value) : value]),
  );
}

async function inTransaction<T>(pool: Pool, task: (database: PoolClient) => Promise<T>): Promise<T> {
  const database = await pool.connect();
  let broken = false;
  try {
    await database.query('BEGIN');
    const result = await task(database);
    await database.query('COMMIT');
    return result;
  } catch (error) {
    await database.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    database.release(broken);
  }
}
