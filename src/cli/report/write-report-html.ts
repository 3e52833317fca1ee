/** Writes `report.html`: what is gathered from run folders, in the page of the package. */
import { type GatheredReport, gatherReport, type ReportParts } from '../../campaigns/report/gather-report.ts';
import { writeClean } from '../../journal/write-redacted.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { reportHtml } from '../../report/html/report-html.ts';
import { readReportPage } from './report-page.ts';

export const reportName = 'report.html';

export async function writeReportHtml(file: string, parts: ReportParts): Promise<void> {
  const page = readReportPage();
  const gathered: GatheredReport = await gatherReport(parts);
  writeClean(file, reportHtml(page, { verdict: parts.verdict, ...gathered }));
}

/** What a part of the report was not made for; the rest does not depend on it. */
export async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A run does not depend on its report: `warn` gets the reason when there is none. */
export async function tryToWriteReportHtml(
  file: string,
  parts: ReportParts,
  warn: (text: string) => void,
): Promise<void> {
  await writeReportHtml(file, parts).catch((error: unknown) => {
    const [problem] = problemsIn(error);
    if (problem?.code !== 'world.missing-package') throw error;
    warn(`${reportName} was not written: ${problem.what}; ${problem.next}`);
  });
}
