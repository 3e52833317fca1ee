/** The script and the style of the report, which are made when the package is built. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../kernel/own-files.ts';
import { Problem } from '../../kernel/problem.ts';
import { inlineScript, inlineStyle, type ReportPage } from '../../report/html/report-html.ts';

export function readReportPage(): ReportPage {
  const script = inlineScript(readPart('report-page.js'));
  const style = inlineStyle(readPart('report-page.css'));
  return { script, scriptHash: hashOf(script), style, styleHash: hashOf(style) };
}

function readPart(name: string): string {
  const file = path.join(packageFolder, 'dist/page', name);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new Problem({
    code: 'world.missing-package',
    where: file,
    what: 'the page of the report was not built',
    allowed: 'report-page.js and report-page.css, as the package has them',
    next: 'in a clone, run `npm run build:page`; elsewhere, install Shakedown again',
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
