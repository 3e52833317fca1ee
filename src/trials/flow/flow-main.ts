/** Entry of a flow's process: `node flow-main list|perform <file> [folder of compiled code]`, with a channel to whoever started it. */
import module from 'node:module';
import type { FromFlow, ToFlow } from './flow-message.ts';

process.title = 'shakedown-flow';
// Without whoever started us there is nobody to act for.
process.on('disconnect', () => process.exit(0));
// Before anything else is imported, so that it is found compiled.
const [cache] = process.argv.slice(4);
if (cache) module.enableCompileCache(cache);
const send = process.send?.bind(process);
if (!send) throw new Error('a flow is started by `shakedown run`, not by hand');
const { parseExactJson } = await import('../../kernel/exact-json.ts');
const { runFlowProcess } = await import('./inside/flow-process.ts');
runFlowProcess({
  // As texts of our own: the channel's JSON would round long numbers.
  send: (message: FromFlow) => void send(JSON.stringify(message)),
  listen: (listener) =>
    process.on('message', (message) => {
      const told = parseExactJson(String(message)) as ToFlow;
      if (told.say === 'variables') Object.assign(process.env, told.env);
      else listener(told);
    }),
  onUncaught: (listener) => process.on('uncaughtException', listener),
});
