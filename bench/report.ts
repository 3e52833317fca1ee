/** A report of 3,000 trials with 60,000 exchanges: its first picture, search and scrolling, and its size; beside Playwright's. */
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { embedReport } from '../test/harness/embed-report.ts';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import { type OpenedReport, openReports, type Reports } from './report/open-reports.ts';
import { installPlaywright, playwright, writePlaywrightReport } from './report/playwright-report.ts';
import { syntheticReport } from './report/synthetic-report.ts';
import type { Aim, BenchResult } from './run.ts';
import { type Contestant, formatSideBySide, sideBySide } from './side-by-side.ts';

const trials = 3_000;
const exchangesOfEach = 20;
const rounds = 5;
const ours = 'shakedown';
const most = { firstPictureMs: 2_000, taskMs: 100, megabytes: 15 } as const;

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  const reports = await openReports();
  try {
    const file = writeOurs(built);
    const peer = installPlaywright(built) ? writePlaywrightReport(built, trials, exchangesOfEach) : undefined;
    const contestants: Contestant[] = [{ name: ours, measure: () => measureOurs(reports, file) }];
    if (peer) contestants.push({ name: playwright.name, measure: () => measurePeer(reports, peer) });
    const result = await sideBySide(rounds, whileWanted(contestants));
    const ofAim = (metric: string, limit: number): number => result.median(ours, metric) / limit;
    const ratios = {
      firstPictureOfTwoSeconds: ofAim('firstPictureMs', most.firstPictureMs),
      searchTaskOf100Ms: ofAim('searchTaskMs', most.taskMs),
      openTaskOf100Ms: ofAim('openTaskMs', most.taskMs),
      findTaskOf100Ms: ofAim('findTaskMs', most.taskMs),
      scrollTaskOf100Ms: ofAim('scrollTaskMs', most.taskMs),
      sizeOf15Megabytes: ofAim('megabytes', most.megabytes),
      ...(peer && {
        firstPictureOverPlaywright: result.ratio('firstPictureMs', ours, playwright.name),
        sizeOverPlaywright: result.ratio('megabytes', ours, playwright.name),
      }),
    };
    const own = Object.keys(ratios).filter((name) => !name.endsWith('Playwright'));
    return {
      table: formatSideBySide(result),
      ratios,
      aims: Object.fromEntries(own.map((name): [string, Aim] => [name, { atMost: 1 }])),
      peersAbsent: peer ? [] : [`${playwright.name}: ${playwright.install}`],
    };
  } finally {
    await reports.close();
    await built.remove();
  }
}

function writeOurs(built: BuiltPackage): string {
  const file = path.join(built.folder, 'report.html');
  const content = syntheticReport(trials, exchangesOfEach);
  writeFileSync(file, embedReport(path.join(built.folder, 'dist/page'), content, 40));
  return file;
}

async function measureOurs(reports: Reports, file: string) {
  const report = await reports.open(file, '.overview .card');
  try {
    return {
      firstPictureMs: report.firstPictureMs,
      searchTaskMs: await longestTask(report, searchTrials),
      openTaskMs: await longestTask(report, openTrial),
      findTaskMs: await longestTask(report, findInTrial),
      scrollTaskMs: await longestTask(report, scrollOurs),
      megabytes: megabytesOf(file),
    };
  } finally {
    await report.close();
  }
}

async function measurePeer(reports: Reports, file: string) {
  const report = await reports.open(file, '.test-file-test');
  try {
    return { firstPictureMs: report.firstPictureMs, megabytes: megabytesOf(file) };
  } finally {
    await report.close();
  }
}

function megabytesOf(file: string): number {
  return statSync(file).size / 1_000_000;
}

async function longestTask(
  report: OpenedReport,
  act: (page: OpenedReport['page']) => Promise<void>,
): Promise<number> {
  await report.longestTaskMs(); // what was before
  await act(report.page);
  return report.longestTaskMs();
}

async function searchTrials(page: OpenedReport['page']): Promise<void> {
  await page.getByLabel('Find a trial').pressSequentially('orders/29');
  await page.getByLabel('Find a trial').fill('');
}

async function openTrial(page: OpenedReport['page']): Promise<void> {
  await page.locator('.trial-link').first().click();
  await page.locator('.diagram .row').first().waitFor();
}

async function findInTrial(page: OpenedReport['page']): Promise<void> {
  await page.getByLabel('Find in what happened').pressSequentially('quantity');
}

async function scrollOurs(page: OpenedReport['page']): Promise<void> {
  await page.locator('.trials .virtual').hover();
  for (let wheel = 0; wheel < 40; wheel += 1) {
    await page.mouse.wheel(0, 3_000);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}
