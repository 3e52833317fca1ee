/** What a tool is, what it gets, and what it answers. */
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Host } from '../../campaigns/session/host.ts';
import type { Interrupts } from '../../campaigns/session/interrupts.ts';
import type { RunReporter } from '../../campaigns/session/perform-run.ts';
import type { JsonMap } from '../../kernel/is-map.ts';
import type { Piece } from './page.ts';

/** What the command line lends to the server. */
export interface AgentHost extends Host {
  /** Adds what this call needs to the commands in a text. */
  hint(text: string): string;
  /** Keeps standard output for the messages of the protocol. */
  reserveOutput(): (json: string, done: (error?: Error | null) => void) => void;
  readonly writeReports: RunReporter['writeReports'];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  answer(args: unknown, context: ToolContext): Promise<Answer>;
}

export interface ToolContext {
  readonly host: AgentHost;
  /** The folder of the config: nothing outside of it is read for a caller, or written. */
  readonly project: string;
  /** Ends with the call, and with the server. */
  readonly interrupts: Interrupts;
  progress(done: number, total: number, message: string): void;
  /** Of what boots environments, one at a time. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** One of the two lists is paged: the evidence, or else our own. */
export interface Answer {
  /** Our words, and names of the project: nothing that the system under test has sent or printed. */
  readonly says: readonly string[];
  readonly data: JsonMap;
  readonly own?: readonly Piece[];
  /** Text of the system under test. */
  readonly evidence?: readonly Piece[];
  /** What to do about the rest, where no cursor leads to it. */
  readonly rest?: string;
  readonly isError?: true;
}

export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    readonly input: Input;
    answer(args: z.output<Input>, context: ToolContext): Promise<Answer>;
  },
): Tool {
  return { ...tool, answer: (args, context) => tool.answer(args as z.output<Input>, context) };
}

/** It changes nothing, and reaches nothing but the project. */
export const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

export const runArgument = z
  .string()
  .max(100)
  .default('latest')
  .describe('The id of a run of this project, or `latest`.');

export const trialArgument = z
  .string()
  .min(1)
  .max(400)
  .describe('The id of a trial, such as `daemon/junk` or `daemon/junk[case]`.');

export const cursorArgument = z
  .string()
  .max(100)
  .optional()
  .describe('The `cursor` of the page before; leave it out for the first page.');
