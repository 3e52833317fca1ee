/** One command on its way to Redis: what was asked, and what has been answered so far. */
import type { StoreExchange } from '../stores/store-conversation.ts';
import { type RespCommand, withoutWords } from './resp-command.ts';

export class CommandExchange implements StoreExchange {
  readonly method: string;
  readonly path: string;
  readonly statement: string;
  readonly params: readonly unknown[];
  readonly isWaiting: boolean;
  readonly sentBytes: number;
  receivedBytes = 0;
  result: unknown;
  error: { readonly message: unknown } | undefined;
  isVain = false;
  readonly isSecret: boolean;
  /** Of a subscription, one for each channel. */
  left: number;
  readonly answers: unknown[] = [];
  answerCount = 0;

  constructor(command: RespCommand, sentBytes: number, words: number) {
    this.method = command.method;
    this.path = command.path;
    this.statement = command.statement;
    this.params = command.params;
    this.isWaiting = command.isWaiting;
    this.isSecret = command.isSecret;
    this.sentBytes = sentBytes;
    this.left = words;
  }

  fail(message: unknown): void {
    this.error = { message: this.isSecret ? withoutWords(message) : message };
  }
}
