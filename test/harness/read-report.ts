/** What a browser finds in a `report.html`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ReportedTrial, ReportIndex } from '../../src/report/page/embedded-report.ts';

export interface ReadReport {
  /** The document without the embedded data. */
  readonly html: string;
  readonly index: ReportIndex;
  /** The JSON of all that is embedded. */
  readonly decoded: string;
  trial(id: string): ReportedTrial | undefined;
}

export function readReport(file: string): ReadReport {
  const parts = new Map<string, string>();
  const html = readFileSync(file, 'utf8').replaceAll(
    /<script type="application\/octet-stream" id="([^"]+)">([^<]*)<\/script>/g,
    (_, id: string, base64: string) => {
      parts.set(id, gunzipSync(Buffer.from(base64, 'base64')).toString());
      return '';
    },
  );
  const index = JSON.parse(parts.get('report-index') ?? '') as ReportIndex;
  return {
    html,
    index,
    decoded: [...parts.values()].join('\n'),
    trial: (id) => {
      const chunk = parts.get(`report-chunk-${index.chunkOf[id]}`) ?? '[]';
      return (JSON.parse(chunk) as ReportedTrial[]).find((trial) => trial.id === id);
    },
  };
}

/** Scripts and styles in the document, and those that its policy lets in, by their hashes. */
export function policyOf(html: string) {
  const hashed = (tag: string): readonly string[] =>
    [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const directives = policy.split('; ').map((one): [string, string[]] => {
    const [name = '', ...values] = one.split(' ');
    return [name, values];
  });
  return { allowed: Object.fromEntries(directives), scripts: hashed('script'), styles: hashed('style') };
}
