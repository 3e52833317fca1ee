/** A recorded request as an `http` step. */
import { isSignature } from '../../kernel/signature-header.ts';
import type { RecordedCall, StepRecorder, Writing } from '../kind/step-recorder.ts';

export const httpRecorder: StepRecorder = {
  protocol: 'http',
  write: ({ method, path, to, request, response }, as, writing) => {
    const { json, text } = response ?? {};
    return {
      step: {
        http: `${method} ${to}${writing.text(path)}`,
        ...bodyOf(request, writing),
        ...headersOf(request, writing),
        as,
        expect: response ? { status: response.status } : { error: { $present: true } },
      },
      result: { ...(json === undefined ? {} : { json }), ...(json !== undefined || !text ? {} : { text }) },
    };
  },
};

function bodyOf({ json, text, headers }: RecordedCall['request'], writing: Writing): object {
  const type = headers['content-type'] ?? '';
  if (json !== undefined) return { json: writing.value(json) };
  if (text === undefined) return {};
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { form: writing.value(Object.fromEntries(new URLSearchParams(text))) };
  if (type.startsWith('multipart/'))
    writing.note('a body in parts is written as text: use `multipart` instead');
  return { text: writing.text(text) };
}

const usualHeaders =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|user-agent|accept|accept-.*|cache-control|pragma|sec-.*|keep-alive|origin|referer|date|expect|te)$/;

/** A header with credentials was not kept whole; a variable replaces it. */
function headersOf({ headers, json, text }: RecordedCall['request'], writing: Writing): object {
  const entries = Object.entries(headers).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (usualHeaders.test(name) || (name === 'content-type' && isImplied(value, json, text))) return [];
    if (isSignature(name))
      writing.note(
        `the header ${name} was computed from this exact body: if the body changes, sign it in a flow`,
      );
    if (!value.includes('…')) return [[name, writing.text(value)]];
    const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    writing.note(`what was sent in the header ${name} was not kept: set ${variable} before you run it`);
    return [[name, `\${env.${variable}:-}`]];
  });
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

function isImplied(type: string, json: unknown, text: string | undefined): boolean {
  if (json !== undefined) return type.startsWith('application/json');
  return text === undefined || /^(?:text\/plain|application\/x-www-form-urlencoded)/.test(type);
}
