/** The life of an embedded server: one process, or a second one on the same data after a pause. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../../kernel/limits.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { type RunningServer, type RunOptions, runServer } from './run-server.ts';

export interface ServerLife {
  readonly running: RunningServer;
  /** Settles when a process has ended by itself. */
  readonly died: Promise<string>;
  /** Leaves data from which a server starts without recovery; false when the process had to be killed. */
  shutDown(): Promise<boolean>;
  /** Once: shuts the server down, does the work on its data, and starts it again, at another port. */
  pause(work: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

export function openLife(form: EmbeddedForm, options: RunOptions, first: RunningServer): ServerLife {
  const { promise: died, resolve } = Promise.withResolvers<string>();
  let running = first;
  let stopping = false;
  let pausing: Promise<void> | undefined;
  const begin = (next: RunningServer): void => {
    running = next;
    stopping = false;
    void next.process.exited.then(({ code, signal }) => {
      if (stopping) return;
      resolve(
        signal === null ? `PostgreSQL ended with exit code ${code}` : `PostgreSQL was ended by ${signal}`,
      );
    });
  };
  const stop = (signal: NodeJS.Signals): Promise<void> => {
    stopping = true;
    return running.process.stop(signal, limits.stopWithinMs);
  };
  const shutDown = async (): Promise<boolean> => {
    await stop('SIGINT');
    return !existsSync(path.join(options.dataFolder, 'postmaster.pid'));
  };
  begin(first);
  return {
    get running() {
      return running;
    },
    died,
    shutDown,
    pause: (work) => {
      pausing = (async () => {
        if (await shutDown()) await work();
        form.context.signal.throwIfAborted();
        begin(await runServer(form, options));
      })();
      return pausing;
    },
    end: async () => {
      await pausing?.catch(() => undefined); // whoever asked for it hears of its failure
      // Immediate: the data is thrown away, so nothing is gained by writing it down.
      await stop('SIGQUIT');
    },
  };
}
