/** `shakedown status`: what is up here, with process numbers and addresses. */
import { askStatus } from '../../campaigns/up/ask-status.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { print } from '../call/print.ts';
import { readRun, runOption } from '../call/run-option.ts';
import type { Verb } from '../call/verb.ts';
import { statusTable } from '../view/status-table.ts';

export const status: Verb = {
  summary: 'show what is up here, with process numbers and addresses',
  usage: '',
  options: { edges: { help: 'also list every edge with the address of its tap' }, run: runOption },
  run: async (call) => {
    const answer = await askStatus(call, readRun(call));
    const edges = call.options.edges === true ? answer.edges : [];
    print(call, answer, (terminal) => [
      statusTable(answer, terminal),
      ...edges.map(({ from, to, url }) => `  ${from} -> ${to}  ${url}`),
    ]);
    return exitCodes.held;
  },
};
