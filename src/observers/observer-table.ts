/** Every observer by the key of its check; the code behind one is loaded when a trial uses it. */
import type { Observer } from './observer.ts';

export const observers: Readonly<Record<string, () => Promise<Observer<unknown>>>> = {
  rows: async () => (await import('./rows/rows-observer.ts')).rowsObserver,
  files: async () => (await import('./files/files-observer.ts')).filesObserver,
  logs: async () => (await import('./logs/logs-observer.ts')).logsObserver,
  events: async () => (await import('./events/events-observer.ts')).eventsObserver,
  process: async () => (await import('./process/process-observer.ts')).processObserver,
  spans: async () => (await import('./spans/spans-observer.ts')).spansObserver,
  calls: async () => (await import('./calls/calls-observer.ts')).callsObserver,
  changes: async () => (await import('./changes/changes-observer.ts')).changesObserver,
};
