/** Entry of a flow's process: `node flow-main list|perform|replay <file> [folder of compiled code]`, with an IPC channel. */
import module from 'node:module';
import type { FromFlow, ToFlow } from '../flow-message.ts';

process.title = 'shakedown-flow';
// Without the parent process there is nothing to do.
process.on('disconnect', () => process.exit(0));
// Before anything else is imported, so that it is found compiled.
const [mode, , cache] = process.argv.slice(2);
if (cache) module.enableCompileCache(cache);
const send = process.send?.bind(process);
if (!send) throw new Error('a flow is started by `shakedown run`, not by hand');
const { parseExactJson } = await import('../../../kernel/exact-json.ts');
const { runFlowProcess } = await import('./flow-process.ts');
if (mode === 'replay') (await import('../no-effects.ts')).forbidEffects();
runFlowProcess(
  {
    // As our own JSON text: the channel's JSON would round long numbers.
    send: (message: FromFlow) => void send(JSON.stringify(message)),
    listen: (listener) =>
      process.on('message', (message) => {
        const received = parseExactJson(String(message)) as ToFlow;
        if (received.say === 'variables') Object.assign(process.env, received.env);
        else listener(received);
      }),
    onUncaught: (listener) => process.on('uncaughtException', listener),
  },
  mode === 'replay',
);
