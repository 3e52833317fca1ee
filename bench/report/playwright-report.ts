/** Playwright's HTML report of as many tests, each with as many steps; it is installed for the time of the bench. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuiltPackage } from '../cli/built-package.ts';

export const playwright = {
  name: 'Playwright',
  install: 'npm install @playwright/test@1.65.1, which the bench does itself where it can reach a registry',
} as const;

const mostInstallMs = 120_000;
const mostRunMs = 900_000;
const filesOfTests = 30;

/** False where it cannot be had. */
export function installPlaywright(built: BuiltPackage): boolean {
  const folder = folderIn(built);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '@playwright/test@1.65.1'];
  const env = { ...built.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
  return spawnSync('npm', words, { cwd: folder, env, timeout: mostInstallMs }).status === 0;
}

export function writePlaywrightReport(built: BuiltPackage, tests: number, stepsOfEach: number): string {
  const folder = folderIn(built);
  for (let file = 0; file < filesOfTests; file += 1) {
    const text = suite(file, tests / filesOfTests, stepsOfEach);
    writeFileSync(path.join(folder, `orders-${file}.spec.js`), text);
  }
  const words = ['playwright', 'test', '--reporter=html', '--workers=2'];
  const env = { ...built.env, PLAYWRIGHT_HTML_OPEN: 'never' };
  const { status, stderr } = spawnSync('npx', words, {
    cwd: folder,
    env,
    timeout: mostRunMs,
    encoding: 'utf8',
  });
  if (status !== 1)
    throw new Error(`Playwright ended with ${status}, and one test of each file fails: ${stderr}`);
  return path.join(folder, 'playwright-report/index.html');
}

function folderIn({ folder }: BuiltPackage): string {
  return path.join(folder, 'playwright');
}

function suite(file: number, tests: number, steps: number): string {
  return `import { expect, test } from '@playwright/test';
for (let number = 0; number < ${tests}; number += 1) {
  test('orders ${file}/' + number, async () => {
    for (let step = 0; step < ${steps}; step += 1) {
      await test.step('POST /v1/orders/' + (number * 7919 + step * 104729).toString(16), async () => {
        expect(step).toBeLessThan(${steps});
      });
    }
    expect(number).not.toBe(0); // after a failure Playwright starts a process anew, which takes a second
  });
}
`;
}
