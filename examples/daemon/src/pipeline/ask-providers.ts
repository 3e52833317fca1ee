/** The provider cascade: asked in order, each with its time; the first that answers wins. */
import { request } from 'node:http';
import { log, reasonOf } from '../log.ts';

export interface Provider {
  readonly name: string;
  readonly url: string;
  readonly timeoutMs: number;
}

export interface Question {
  readonly instruction: string;
  readonly text: string;
}

export interface Thought {
  readonly provider: string;
  readonly text: string;
}

const mostBytes = 262_144;

/** Undefined when none of them answers. */
export async function askProviders(
  providers: readonly Provider[],
  question: Question,
): Promise<Thought | undefined> {
  for (const provider of providers) {
    try {
      return { provider: provider.name, text: await ask(provider, question) };
    } catch (error) {
      log.warn(`provider ${provider.name} failed: ${reasonOf(error)}`);
    }
  }
  return undefined;
}

async function ask(provider: Provider, { instruction, text }: Question): Promise<string> {
  const messages = [
    { role: 'system', content: instruction },
    { role: 'user', content: text },
  ];
  const { status, body } = await post(provider, JSON.stringify({ model: 'small', messages }));
  if (status !== 200) throw new Error(`status ${status}`);
  const content = contentOf(body);
  if (content === undefined) throw new Error(`no answer in ${JSON.stringify(body.slice(0, 60))}`);
  return content;
}

/** The time covers everything from the connection to the last byte. */
function post(provider: Provider, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const timer = Number.isFinite(provider.timeoutMs)
      ? setTimeout(() => {
          asked.destroy(new Error(`no answer within ${provider.timeoutMs} ms`));
        }, provider.timeoutMs)
      : undefined;
    const asked = request(
      `${provider.url}/v1/chat/completions`,
      { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > mostBytes) asked.destroy(new Error('the answer is too large'));
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
        response.once('error', reject);
      },
    );
    asked.once('error', reject);
    asked.once('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was cut'));
    });
    asked.end(body);
  });
}

function contentOf(body: string): string | undefined {
  try {
    const answer = JSON.parse(body) as { choices?: { message?: { content?: unknown } }[] };
    const content = answer.choices?.[0]?.message?.content;
    return typeof content === 'string' && content !== '' ? content : undefined;
  } catch {
    return undefined;
  }
}
