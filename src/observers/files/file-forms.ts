/** The forms in which the content of a file can be seen, and what becomes of a file that is not of its form. */
import { isUtf8 } from 'node:buffer';
import { cutText } from '../../kernel/cut-text.ts';
import { notKept } from '../../kernel/not-kept.ts';
import { parserFault } from '../../kernel/parser-fault.ts';
import { parseStrictJson } from '../../kernel/strict-json.ts';
import { observerLimits } from '../observer-limits.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { parseXml } from './parse-xml.ts';
import { parseYaml } from './parse-yaml.ts';
import { viewPng } from './view-png.ts';

const readers = {
  text: (content: Buffer): unknown => content.toString('utf8'),
  json: (content: Buffer): unknown => parseStrictJson(withoutMark(content)),
  yaml: (content: Buffer): unknown => parseYaml(withoutMark(content)),
  markdown: (content: Buffer): unknown => parseMarkdown(withoutMark(content)),
  xml: (content: Buffer): unknown => parseXml(withoutMark(content)),
  image: viewPng,
} as const;

export type FileForm = keyof typeof readers | 'hash';

export const fileForms: readonly FileForm[] = ['hash', ...(Object.keys(readers) as FileForm[])];

/** `{ json: … }`, or `{ broken: why }` for what is not of this form, and with `notKept` for what was not read. */
export function understand(form: FileForm, content: Buffer | undefined): Readonly<Record<string, unknown>> {
  if (form === 'hash') return {};
  if (!content)
    return { [form]: notKept, broken: `larger than ${observerLimits.parsedBytes / 1024 ** 2} MB` };
  if (form !== 'image' && !isUtf8(content)) return { broken: `no ${form}: it is not UTF-8` };
  try {
    return { [form]: readers[form](content) };
  } catch (error) {
    return { broken: `no ${form}: ${cutText(parserFault(error), 500)}` };
  }
}

/** The mark of byte order that some editors put first. */
function withoutMark(content: Buffer): string {
  return content.toString('utf8').replace(/^\uFEFF/, '');
}
