/** aimock as a process of its own: `aimock-provider.mjs <entry of the package>`. Prints its port. */
import { pathToFileURL } from 'node:url';
import { leastMs, longAnswer, pieceChars, questions, shortAnswer, slowMs } from './exchanges.ts';

const { LLMock } = await import(pathToFileURL(process.argv[2]).href);
const mock = new LLMock({ port: 0, chunkSize: pieceChars });
mock.onMessage(questions.short, { content: shortAnswer });
mock.onMessage(questions.long, { content: longAnswer });
mock.onMessage(questions.paced, { content: longAnswer }, { latency: leastMs });
mock.onMessage(questions.slow, { content: longAnswer }, { latency: slowMs });
await mock.start();
process.stdout.write(`${new URL(mock.url).port}\n`);
