/** `report.html`: one file that loads nothing; evidence is data in it, and only the page's own script and style work. */
import type { RunVerdict } from '../../checks/verdict.ts';
import { embeddedIds } from '../page/embedded-report.ts';
import { html } from './html-text.ts';
import { staticSummary } from './static-summary.ts';

/** The script and the style as they are in the file, each with its SHA-256 in base64. */
export interface ReportPage {
  readonly script: string;
  readonly scriptHash: string;
  readonly style: string;
  readonly styleHash: string;
}

export interface ReportData {
  readonly verdict: RunVerdict;
  /** JSON, packed with gzip and printed in base64. */
  readonly index: string;
  readonly chunks: readonly string[];
}

export function reportHtml(page: ReportPage, { verdict, index, chunks }: ReportData): string {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${page.scriptHash}'`,
    `style-src 'sha256-${page.styleHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${html(titleOf(verdict))}</title>`,
    `<style>${page.style}</style>`,
    '</head>',
    '<body>',
    `<div id="app">${staticSummary(verdict)}</div>`,
    data(embeddedIds.index, index),
    ...chunks.map((chunk, number) => data(`${embeddedIds.chunk}${number}`, chunk)),
    `<script>${page.script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function titleOf({ verdict, counts, run }: RunVerdict): string {
  const bad = counts.failed + counts.unknown + counts.unstable;
  return `${verdict}${bad > 0 ? ` (${bad} of ${counts.selected})` : ''} · ${run}`;
}

function data(id: string, base64: string): string {
  return `<script type="application/octet-stream" id="${id}">${base64}</script>`;
}

/** As the text between two tags: its end is not in it, and a browser computes the same hash. */
export function inlineScript(script: string): string {
  return normal(script).replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
}

export function inlineStyle(style: string): string {
  return normal(style).replaceAll(/<(?=\/style|!--)/gi, '\\3c ');
}

/** A browser changes these before it computes the hash. */
function normal(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}
