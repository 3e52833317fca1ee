/** Asks one provider once, in the dialect of OpenAI's chat completions. */
import { type Answered, exchange } from '../http/exchange.ts';
import type { Parts } from '../parts.ts';
import { type Provider, ProviderTrouble, type Question, type Said, type TroubleKind } from './provider.ts';

/** Rejects with a ProviderTrouble when the provider refuses or its answer is unusable, with another error when there is no answer. */
export async function askProvider(
  provider: Provider,
  { instruction, text }: Question,
  timeoutMs: number,
  parts: Pick<Parts, 'decode' | 'readAnswer'>,
): Promise<Said> {
  const answered = await exchange({
    method: 'POST',
    url: `${provider.url}/chat/completions`,
    headers: { authorization: `Bearer ${provider.key}` },
    json: {
      model: provider.model,
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: text },
      ],
      ...(provider.streamed ? { stream: true, stream_options: { include_usage: true } } : {}),
    },
    timeoutMs,
  });
  if (answered.status !== 200) throw refusal(answered);
  const body = parts.decode(answered.pieces);
  return parts.readAnswer(body, String(answered.headers['content-type'] ?? ''), answered.cut);
}

function refusal({ status, headers }: Answered): ProviderTrouble {
  return new ProviderTrouble(
    kindOf(status),
    `status ${status}`,
    patienceOf(String(headers['retry-after'] ?? '')),
  );
}

function kindOf(status: number): TroubleKind {
  if (status === 408 || status === 429 || status >= 500) return 'passing';
  return status === 400 || status === 413 || status === 422 ? 'question' : 'lasting';
}

/** `retry-after` is a number of seconds or a date; anything else is ignored. */
function patienceOf(header: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(at - Date.now(), 0);
}
