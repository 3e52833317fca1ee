/** The page of a report in a real browser: what its first screen shows, clicks, keys, links, and that it loads nothing. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { embedReport } from './harness/embed-report.ts';
import { findOnPath, needs } from './harness/needs.ts';
import {
  failedEvidence,
  failedTrial,
  hostileEvidence,
  hostileId,
  hostileTrial,
  reportContent,
  trialVerdict,
} from './harness/report-content.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';

const folder = makeTemporaryFolder('report-page');
let browser: Browser | undefined;

beforeAll(() => {
  const skipped = trialVerdict('shop/skipped', { verdict: 'skipped', skipReason: 'no docker', folder: null });
  const passed = Array.from({ length: 150 }, (_, index) => trialVerdict(`bulk/${index}`));
  const verdicts = [...passed, failedTrial, hostileTrial, skipped];
  const page = path.join(inject('builtPackage'), 'dist/page');
  const write = (name: string, html: string): void => writeFileSync(path.join(folder.path, name), html);
  write('report.html', embedReport(page, reportContent(verdicts, [failedEvidence, hostileEvidence])));
  write('one.html', embedReport(page, reportContent([failedTrial], [failedEvidence])));
});

afterAll(async () => {
  await browser?.close();
  folder.remove();
});

interface Opened {
  readonly page: Page;
  /** What a page that is sound never has: requests, errors, violations of the policy. */
  readonly faults: string[];
}

async function open(
  place: string,
  options: BrowserContextOptions = {},
  file = 'report.html',
): Promise<Opened> {
  needs('chromium');
  const [executablePath = ''] = findOnPath('chromium');
  browser ??= await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    offline: true,
    ...options,
  });
  const page = await context.newPage();
  const url = pathToFileURL(path.join(folder.path, file)).href;
  const faults: string[] = [];
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) faults.push(`asked for ${request.url()}`);
  });
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${url}#${place}`);
  await page.locator('.page').waitFor();
  return { page, faults };
}

const failed = encodeURIComponent('shop/refund');
const hostile = encodeURIComponent(hostileId);
const selected = (page: Page) => page.locator('.diagram .row.selected').first();

describe('a trial that failed', () => {
  test('its first screen says what broke, who did it, where, and how to see it again', async () => {
    const { page, faults } = await open(failed);
    for (const text of ['shop/refund', 'exactly 1 element', '2 elements', 'it asked for 12 cents'])
      await expect.poll(() => page.getByText(text).first().isVisible(), { message: text }).toBe(true);
    expect(await page.locator('.party').textContent()).toBe('gateway on gateway -> bank');
    expect(await page.locator('.command').textContent()).toContain('shakedown rerun run-1 shop/refund');
    expect(await selected(page).textContent()).toMatch(/blame.*refunds\/refund/);
    const box = await selected(page).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    const change = await page.locator('.line-difference').first().textContent();
    expect(change).toMatch(/−\s+"cents": 1250,\n\+\s+"cents": 12,/);
    expect(faults).toEqual([]);
  });

  test('what is extra and what is missing is in the diagram, on lanes that can be opened and closed', async () => {
    const { page } = await open(failed);
    const heads = page.locator('.heads .head');
    const names = ['outside', 'agent', 'gateway', 'files', 'bank', 'model', 'Shakedown'];
    await expect.poll(() => heads.allTextContents()).toEqual(names);
    expect(await page.locator('.tag.only').count()).toBe(1);
    await page.getByRole('button', { name: 'open 1 more lane' }).click();
    expect(await heads.allTextContents()).toContain('traces');
    const missing = page.getByRole('button', { name: /only when it passed, agent to files/ });
    await missing.click();
    expect(await page.locator('.evidence header').textContent()).toContain('only when it passed');
    await heads.filter({ hasText: 'files' }).click();
    expect(await missing.count()).toBe(0);
  });

  test('a stream unfolds, kinds of rows come and go, and words are found in contents', async () => {
    const { page } = await open(failed);
    const rows = page.locator('.diagram .row');
    await page.getByRole('button', { name: '3 frames' }).click();
    expect(await page.getByRole('button', { name: /frame 2 of/ }).count()).toBe(1);
    await page.getByRole('button', { name: '3 frames' }).click();
    const before = await rows.count();
    await page.getByRole('button', { name: /^model 1/ }).click();
    expect(await rows.count()).toBe(before - 1);
    await page.getByLabel('Find in what happened').fill('"cents":1250');
    expect(await rows.count()).toBe(1);
  });

  test('the conversation has what the model saw and what became of its call', async () => {
    const { page } = await open(`${failed}?conversation`);
    const text = (await page.locator('.conversation').textContent()) ?? '';
    expect(text).toMatch(/gateway and model.*Refund my order.*refund.*order: 7.*bank received/s);
  });

  test('beside the attempt that passed, each difference can be looked at', async () => {
    const { page } = await open(`${failed}?compare`);
    await page.locator('.compare-row.only-there').click();
    expect(await page.locator('.evidence').textContent()).toMatch(/only when it passed.*PUT \/receipts\/7/s);
    const differing = await page.locator('.virtual .compare-row').count();
    await page.getByRole('button', { name: 'show the same, too' }).click();
    expect(await page.locator('.virtual .compare-row').count()).toBeGreaterThan(differing);
  });
});

test('keys go through trials, rows and views, and the address follows', async () => {
  const { page } = await open('');
  const place = async (): Promise<string> => decodeURIComponent(String(await page.evaluate('location.hash')));
  await page.keyboard.press('n');
  expect(await place()).toBe('#shop/refund');
  await selected(page).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await place()).toBe('#shop/refund//9');
  await page.keyboard.press('ArrowUp');
  expect(await place()).toBe('#shop/refund//8');
  await page.keyboard.press('c');
  expect(await place()).toBe('#shop/refund//8?compare');
  await page.keyboard.press('v');
  expect(await place()).toBe('#shop/refund//8?conversation');
  await page.keyboard.press('n');
  expect(await place()).toBe(`#${hostileId}`);
  await page.keyboard.press('p');
  expect(await place()).toBe('#shop/refund');
  await page.keyboard.press('/');
  await page.keyboard.type('n');
  expect(await place()).toBe('#shop/refund');
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  expect(await place()).toBe('');
  await page.keyboard.press('?');
  expect(await page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true);
});

test('a link leads to an event of a check, and one to nowhere says so', async () => {
  const { page } = await open(`${failed}/refunded/12`);
  expect(await page.locator('.evidence h3').textContent()).toBe('check refunded');
  const { page: lost } = await open('shop%2Flost');
  expect(await lost.getByRole('alert').textContent()).toContain('no trial shop/lost');
  const { page: gone } = await open(`${failed}//4711`);
  await gone.locator('.diagram .row').first().waitFor();
});

test('trials are found by their names, checks and parties, and filtered by verdict', async () => {
  const { page } = await open('');
  const links = page.locator('.trial-link');
  await page.getByLabel('Find a trial').fill('GATEWAY');
  expect(await links.count()).toBe(1);
  await page.getByLabel('Find a trial').fill('bulk/14');
  expect(await links.count()).toBe(11);
  await page.getByLabel('Find a trial').fill('');
  await page.getByRole('button', { name: /^skipped 1/ }).click();
  expect(await links.allTextContents()).toEqual([expect.stringContaining('shop/skipped')]);
});

test('a report of one trial opens it at once', async () => {
  const { page, faults } = await open('', {}, 'one.html');
  expect(await page.locator('h2').first().textContent()).toContain('shop/refund');
  expect(await page.locator('.trials').isVisible()).toBe(false);
  expect(faults).toEqual([]);
});

test('whatever a body holds is text, whatever a journal lacks is named, and thousands of rows are shown', async () => {
  const { page, faults } = await open(hostile);
  expect(await page.locator('.trial').textContent()).toContain('the last line of the journal was cut off');
  for (let event = 1; event <= 13; event += 1) {
    await page.evaluate(`location.hash = '${`#${hostile.replaceAll("'", '%27')}//${event}`}'`);
    const number = new RegExp(`event ${event}$`);
    if (event !== 9) await page.locator('.evidence header p').filter({ hasText: number }).waitFor();
    expect(await page.locator('.trial > .broken').count(), `event ${event}`).toBe(1); // the journal that is not whole
  }
  expect(await page.locator('.evidence').textContent()).toMatch(
    /0\.30000000000000000001.*12345678901234567890/s,
  );
  expect(await page.title()).toBe('a report');
  expect(await page.locator('.diagram .row').count()).toBeLessThan(100);
  expect(faults).toEqual([]);
});

test('on a phone nothing is wider than the screen, and the list is one touch away', async () => {
  const { page } = await open(failed, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await page.locator('.trials').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'trials' }).click();
  await page.locator('.trial-link').nth(1).click();
  expect(await page.locator('.trials').isVisible()).toBe(false);
  expect(await page.locator('h2').first().textContent()).toContain(hostileId);
});

test.each(['light', 'dark'] as const)(
  'nothing keeps people from reading it, %s',
  async (colorScheme) => {
    const found: string[] = [];
    for (const place of ['', failed, `${failed}?conversation`, `${failed}?compare`, hostile, 'bulk%2F1']) {
      const { page } = await open(place, { colorScheme, bypassCSP: true });
      await page.locator('main').waitFor();
      await page.addScriptTag({ content: axe.source });
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      found.push(
        ...bad.map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target).join(', ')}`),
      );
      await page.context().close();
    }
    expect(found).toEqual([]);
  },
  120_000,
);
