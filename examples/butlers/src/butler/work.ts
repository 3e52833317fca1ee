/** How a butler works off a message: it asks the model, runs the tools that it wants, and logs the session. */
import type { Pool, PoolClient } from '../daemon/database.ts';
import { log, reasonOf } from '../daemon/log.ts';
import { createQueue } from '../daemon/queue.ts';
import type { ModelSettings } from '../daemon/settings.ts';
import { hasDefect } from '../defects.ts';
import type { Manifest } from '../manifest.ts';
import { type Conversation, converse, type ToolOutcome } from '../model/conversation.ts';
import type { ToolUseBlock } from '../model/messages.ts';
import { closeSession, failSession, openSession, type Session } from './session-log.ts';
import { runTool, type Tool, toDefinition } from './tool.ts';

export interface Butler {
  readonly manifest: Manifest;
  readonly model: ModelSettings;
  readonly pool: Pool;
  readonly tools: readonly Tool[];
}

export interface Work {
  readonly status: 'done' | 'duplicate';
  readonly answer: string;
}

interface Task extends Session {
  readonly text: string;
  /** Whose rows they are, if not the session's own: the defect `wrong-session`. */
  readonly rowsOf?: string;
}

/** Messages are worked off one at a time, so that one can build on what the one before has written. */
export function createWorker(butler: Butler): (task: Task) => Promise<Work> {
  const queue = createQueue({ width: hasDefect('not-serial') ? 8 : 1, limit: 1_000 });
  let before = 'none';
  return (task) =>
    queue.run(() => {
      const rowsOf = before;
      before = task.id;
      return work(butler, hasDefect('wrong-session') ? { ...task, rowsOf } : task);
    });
}

async function work(butler: Butler, session: Task): Promise<Work> {
  const { name } = butler.manifest;
  const { doneBefore } = await openSession(butler.pool, session);
  if (doneBefore) {
    log.info(`${name} session ${session.id} was done before`);
    return { status: 'duplicate', answer: doneBefore.answer };
  }
  log.info(`${name} session ${session.id} begins`);
  try {
    const { answer, toolCalls } = await inTransaction(butler.pool, async (database) => {
      const conversation = await talk(butler, session, database);
      await closeSession(database, session.id, conversation);
      return conversation;
    });
    if (hasDefect('late-write')) setTimeout(() => void writeAgain(butler, session.id, toolCalls), lateMs);
    const names = toolCalls.map((call) => (call.ok ? call.name : `${call.name} (refused)`));
    log.info(`${name} session ${session.id} is done, tools: ${names.join(', ') || 'none'}`);
    return { status: 'done', answer };
  } catch (error) {
    // Where the database itself is gone, the session stays open and is taken up again when it is sent again.
    await failSession(butler.pool, session.id, reasonOf(error)).catch((failure: unknown) =>
      log.warn(`${name} session ${session.id} stays open: ${reasonOf(failure)}`),
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
    if (call.ok && tool !== undefined) await runTool(tool, call.arguments, { database: pool, session });
  }
}

function talk(butler: Butler, session: Task, database: PoolClient): Promise<Conversation> {
  const { manifest, model, tools } = butler;
  return converse({
    model,
    system: `You are the ${manifest.name} butler of a household. ${manifest.description} Use your tools to record what you are told, then answer in one or two sentences.`,
    text: session.text,
    tools: tools.map(toDefinition),
    traceparent: session.traceparent ?? '',
    async runTools(calls) {
      const outcomes: ToolOutcome[] = [];
      for (const call of calls)
        outcomes.push(await runOne(tools, call, { database, session: session.rowsOf ?? session.id }));
      return outcomes;
    },
  });
}

/** A tool that fails is undone alone, and the model is told why; the session goes on. */
async function runOne(
  tools: readonly Tool[],
  call: ToolUseBlock,
  context: { database: PoolClient; session: string },
): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return { ok: false, result: `there is no tool ${call.name}` };
  await context.database.query('SAVEPOINT tool');
  try {
    const result = await runTool(tool, call.input, context);
    await context.database.query('RELEASE SAVEPOINT tool');
    return { ok: true, result };
  } catch (error) {
    await context.database.query('ROLLBACK TO SAVEPOINT tool');
    log.warn(`session ${context.session}: tool ${call.name} was refused: ${reasonOf(error)}`);
    if (hasDefect('error-swallowed')) return { ok: true, result: 'done' };
    return { ok: false, result: reasonOf(error) };
  }
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
