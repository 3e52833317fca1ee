/** The deed that gives the consumer another answer than the provider's. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import type { EditAbout, ExchangeEdit, Told } from '../exchange-edit.ts';
import type { ExchangeDeed } from '../exchange-rule.ts';
import { wholeResponse } from '../framing.ts';

type Answer = Extract<ExchangeDeed, { do: 'answer' }>;

export function answerEdit(deed: Answer, { request }: EditAbout): ExchangeEdit {
  const what = `answered ${deed.status} instead of the provider${deed.forward ? ', which was asked' : ''}`;
  const answer = (): readonly Told<ResponseHead>[] => {
    const told = wholeResponse(request, deed.status, headersOf(deed), bodyOf(deed));
    const end = told.findIndex((one) => 'is' in one && one.is === 'end');
    return told.toSpliced(end, 0, { do: 'felt', what });
  };
  if (!deed.forward) return { instead: answer };
  return { response: (part) => (part.is === 'end' ? answer() : []) };
}

function headersOf({ headers = {}, json, text }: Answer): Readonly<Record<string, string>> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (hasType) return headers;
  if (json !== undefined) return { 'content-type': 'application/json', ...headers };
  return text === undefined ? headers : { 'content-type': 'text/plain; charset=utf-8', ...headers };
}

function bodyOf({ json, text = '' }: Answer): Buffer {
  return Buffer.from(json === undefined ? text : JSON.stringify(json), 'utf8');
}
