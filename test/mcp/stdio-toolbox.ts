/** The toolbox as a program that speaks on its standard input and output. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createToolbox } from './toolbox.ts';

process.stderr.write('toolbox is ready\n');
await createToolbox().server.connect(new StdioServerTransport());
