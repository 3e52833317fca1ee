/** Ready when an HTTP request is answered as expected: status, body, or the first bytes of an endless stream. */
import type { IncomingMessage } from 'node:http';
import { cutText } from '../../kernel/cut-text.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import type { ReadyCondition } from '../../system/system.ts';
import { isReady, type Look, notReady, type Sight } from './look.ts';
import { nodeHttp } from './node-http.ts';
import type { ReadinessSubject } from './subject.ts';

type HttpCondition = Extract<ReadyCondition, { probe: 'http' }>;

const mostBytes = 1024 * 1024;

export function httpProbe(condition: HttpCondition, subject: ReadinessSubject): Look {
  return async (signal) => {
    const address = subject.address(condition.listener);
    if (!address) return notReady('the service has not reported its port yet');
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    const place = `http://${host}:${address.port}${condition.path}`;
    const { authority } = address;
    const url = authority === undefined ? place : `http://${authority}${condition.path}`;
    try {
      const response = await get(place, signal, authority === undefined ? {} : { host: authority });
      const sight = await judge(condition, response);
      response.destroy();
      return sight.ready ? sight : notReady(`GET ${url}: ${sight.saw}`);
    } catch (error) {
      return notReady(`GET ${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function get(
  url: string,
  signal: AbortSignal,
  more: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = nodeHttp().request(
      url,
      { agent: false, signal, headers: { connection: 'close', ...more } },
      resolve,
    );
    sent.on('error', reject);
    sent.end();
  });
}

async function judge(condition: HttpCondition, response: IncomingMessage): Promise<Sight> {
  const status = response.statusCode ?? 0;
  const statusPattern = condition.status ?? { $between: [200, 299] };
  if (!matchPattern(statusPattern, status).matched) return notReady(`status ${status}`);
  if (condition.firstBytes !== undefined) return judgeFirstBytes(condition.firstBytes, response);
  if (condition.json === undefined && condition.body === undefined) return isReady;
  const body = await readBody(response, () => false);
  if (condition.body !== undefined && !matchPattern(condition.body, body).matched)
    return notReady(`status ${status}, body ${shorten(body)}`);
  return condition.json === undefined ? isReady : judgeJson(condition.json, body);
}

async function judgeFirstBytes(pattern: string, response: IncomingMessage): Promise<Sight> {
  const tester = createRegexTester();
  const matches = (text: string): boolean => tester.test(pattern, '', text) === true;
  const bytes = await readBody(response, matches);
  return matches(bytes) ? isReady : notReady(`the stream began with ${shorten(bytes)}`);
}

function judgeJson(pattern: unknown, body: string): Sight {
  let value: unknown;
  try {
    value = parseExactJson(body);
  } catch {
    return notReady(`the body is not JSON: ${shorten(body)}`);
  }
  return matchPattern(pattern, value).matched ? isReady : notReady(`the body is ${shorten(body)}`);
}

async function readBody(response: IncomingMessage, enough: (soFar: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (enough(text) || text.length > mostBytes) break;
  }
  return text;
}

function shorten(text: string): string {
  return JSON.stringify(cutText(text, 200));
}
