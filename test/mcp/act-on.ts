/** Performs steps of the `mcp` driver as an attempt would, against the peers of one test. */
import { openAttemptResources } from '../../src/drivers/attempt-resources.ts';
import type { Act, Address, DriverContext } from '../../src/drivers/driver.ts';
import { mcpDriver } from '../../src/drivers/mcp/mcp-driver.ts';
import type { McpStep } from '../../src/drivers/mcp/mcp-step.ts';
import { systemClock } from '../../src/kernel/clock.ts';

export interface McpEvidence extends Readonly<Record<string, unknown>> {
  readonly isError?: boolean;
  readonly result?: unknown;
  readonly names?: readonly string[];
  readonly notifications?: readonly { readonly method: string; readonly params?: unknown }[];
  readonly requests?: readonly { readonly method: string }[];
  readonly anomalies?: readonly string[];
  readonly error?: { readonly kind: string; readonly message: string };
  readonly rpcError?: { readonly code: number; readonly message: string };
  readonly durationMs?: number;
}

export interface TestAttempt {
  readonly context: DriverContext;
  start(step: McpStep, changes?: Partial<DriverContext>): Act;
  /** Starts the step, waits until it is done, and gives its evidence. */
  act(step: McpStep, changes?: Partial<DriverContext>): Promise<McpEvidence>;
  giveUp(): void;
  end(): Promise<readonly string[]>;
}

export function openAttempt(address: Address | undefined, folder: string = process.cwd()): TestAttempt {
  const controller = new AbortController();
  const resources = openAttemptResources();
  const context: DriverContext = {
    clock: systemClock,
    signal: controller.signal,
    timeoutMs: 20_000,
    address: (target) => {
      if (address === undefined || target !== 'server') throw new Error(`there is no ${target}`);
      return address;
    },
    folder,
    scratch: folder,
    env: { PATH: process.env.PATH ?? '' },
    bodyBytes: 64 * 1024,
    resources,
  };
  const start = (step: McpStep, changes: Partial<DriverContext> = {}): Act =>
    mcpDriver.start(step, { ...context, ...changes });
  return {
    context,
    start,
    act: async (step, changes) => {
      const act = start(step, changes);
      await act.done;
      return act.evidence();
    },
    giveUp: () => controller.abort(),
    end: () => resources.end(),
  };
}
