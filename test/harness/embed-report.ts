/** A report.html of evidence that was made by hand, as the product writes it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { embeddedIds, type ReportedTrial, type ReportIndex } from '../../src/report/page/embedded-report.ts';

export interface ReportContent {
  readonly index: Omit<ReportIndex, 'chunkOf'>;
  readonly trials: readonly ReportedTrial[];
}

/** `page` is the folder of the built page. */
export function embedReport(page: string, { index, trials }: ReportContent, trialsInChunk = 1): string {
  const chunks = Array.from({ length: Math.ceil(trials.length / trialsInChunk) }, (_, number) =>
    trials.slice(number * trialsInChunk, (number + 1) * trialsInChunk),
  );
  const chunkOf = Object.fromEntries(
    trials.map(({ id }, number) => [id, Math.floor(number / trialsInChunk)]),
  );
  const script = readFileSync(path.join(page, 'report-page.js'), 'utf8').replaceAll(
    '</script',
    '\\x3c/script',
  );
  const style = readFileSync(path.join(page, 'report-page.css'), 'utf8');
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>a report</title><style>${style}</style></head><body><div id="app"><h1>a summary</h1></div>`,
    data(embeddedIds.index, { ...index, chunkOf }),
    ...chunks.map((chunk, number) => data(`${embeddedIds.chunk}${number}`, chunk)),
    `<script>${script}</script></body></html>`,
  ].join('\n');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function data(id: string, value: unknown): string {
  const packed = gzipSync(JSON.stringify(value)).toString('base64');
  return `<script type="application/octet-stream" id="${id}">${packed}</script>`;
}
