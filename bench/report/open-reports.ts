/** Reports in Chromium: when the first picture is there, and how long the longest task took that nothing could interrupt. */
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findOnPath } from '../../test/harness/needs.ts';

export interface OpenedReport {
  readonly page: Page;
  /** From the beginning of the navigation to the frame in which the content is. */
  readonly firstPictureMs: number;
  /** Since the last time; 0 where none took 50 ms. */
  longestTaskMs(): Promise<number>;
  close(): Promise<void>;
}

export interface Reports {
  /** `content` is a selector of what a reader waits for. */
  open(file: string, content: string): Promise<OpenedReport>;
  close(): Promise<void>;
}

export async function openReports(): Promise<Reports> {
  const [executablePath] = findOnPath('chromium');
  if (executablePath === undefined) throw new Error('no chromium is on PATH: apt-get install chromium');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return {
    open: async (file, content) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
      const page = await context.newPage();
      await page.addInitScript(watching(content));
      await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
      const firstPictureMs = Number(await page.evaluate('firstPicture'));
      return {
        page,
        firstPictureMs,
        longestTaskMs: async () => Number(await page.evaluate(takeLongest)),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** In the page: two frames after the content is there it has been painted. */
function watching(content: string): string {
  return `
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: 'longtask', buffered: true });
    globalThis.firstPicture = new Promise((done) => {
      const look = () => {
        if (!document.querySelector(${JSON.stringify(content)})) requestAnimationFrame(look);
        else requestAnimationFrame(() => done(performance.now()));
      };
      requestAnimationFrame(look);
    });`;
}

/** Tasks are reported a little after they ended. */
const takeLongest = `new Promise((done) => requestIdleCallback(() => setTimeout(() => {
  done(longest);
  longest = 0;
}, 100)))`;
