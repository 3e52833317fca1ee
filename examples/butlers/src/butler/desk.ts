/** The sessions under way: a tool that is called for one of them writes in its transaction, and fails alone. */
import type { PoolClient } from '../daemon/database.ts';
import type { Tool } from './tool.ts';

interface OpenSession {
  readonly database: PoolClient;
  /** The session that the rows belong to: this one, unless the defect `wrong-session` is active. */
  readonly rowsOf: string;
}

export interface Desk {
  whileOpen<T>(id: string, session: OpenSession, task: () => Promise<T>): Promise<T>;
  runTool(id: string, tool: Tool, values: Readonly<Record<string, unknown>>): Promise<string>;
}

export function createDesk(): Desk {
  const open = new Map<string, OpenSession>();
  return {
    async whileOpen(id, session, task) {
      open.set(id, session);
      try {
        return await task();
      } finally {
        open.delete(id);
      }
    },
    async runTool(id, tool, values) {
      const session = open.get(id);
      if (session === undefined) throw new Error(`session ${id} is not open`);
      const { database, rowsOf } = session;
      await database.query('SAVEPOINT tool');
      try {
        const result = await tool.run(values, { database, session: rowsOf });
        await database.query('RELEASE SAVEPOINT tool');
        return result;
      } catch (error) {
        await database.query('ROLLBACK TO SAVEPOINT tool');
        throw error;
      }
    },
  };
}
