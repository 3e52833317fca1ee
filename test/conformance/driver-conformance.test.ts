/** Every driver passes the same suite. A new one is one row. */
import { commandSubject } from './driver-command-subject.ts';
import { httpSubject } from './driver-http-subject.ts';
import { mcpHttpSubject, mcpStdioSubject } from './driver-mcp-subject.ts';
import { driverConformance } from './driver-suite.ts';
import { tcpSubject } from './driver-tcp-subject.ts';

const subjects = [httpSubject, tcpSubject, commandSubject, mcpHttpSubject, mcpStdioSubject];

for (const subject of subjects) driverConformance(subject);
