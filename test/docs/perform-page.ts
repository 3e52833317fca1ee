/** Executes the instructions of a page in a folder of its own, and returns the deviations from what the page says. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { binary } from '../harness/project.ts';
import { runCommand } from '../harness/run-command.ts';
import { type FencedBlock, fencedBlocks, missingLines } from './fenced-blocks.ts';

export async function performPage(page: string, folder: string): Promise<readonly string[]> {
  const work = path.join(folder, 'work');
  const env = { PATH: `${makeShim(folder)}${path.delimiter}${process.env.PATH}` };
  mkdirSync(work);
  const faults: string[] = [];
  let printed = '';
  for (const block of fencedBlocks(page)) {
    const shown = (what: string): number => faults.push(`line ${block.line}: ${what}`);
    if (block.norun !== undefined) continue;
    if (block.isOutput) {
      for (const line of missingLines(block.text, printed)) shown(`was not printed: ${line}\n${printed}`);
    } else if (block.title !== undefined) {
      writeInto(work, block.title, block.text);
    } else if (block.language === 'sh' || block.fragment !== undefined) {
      const { code, output } = await runCommand(commandFor(block, work), {
        cwd: work,
        env,
        withinMs: 90_000,
      });
      printed = output;
      if (code !== block.exitCode)
        shown(`ended with ${code} instead of ${block.exitCode}:\n${block.text}\n${output}`);
    } else if (block.language !== 'text') {
      shown(
        `nothing is done with this block of ${block.language || 'no language'}; give it a title, or say norun="why"`,
      );
    }
    if (faults.length > 0) break;
  }
  if (existsSync(path.join(work, '.shakedown/up.json'))) {
    faults.push('the page leaves an environment up; end it with `shakedown down`');
    await runCommand(['shakedown', 'down'], { cwd: work, env });
  }
  return faults;
}

function commandFor(block: FencedBlock, work: string): readonly string[] {
  if (block.fragment === undefined) return ['sh', '-e', '-c', block.text];
  const file = path.join(work, 'fragment', `line-${block.line}.yaml`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, stringify(complete(block.fragment, parse(block.text) as Record<string, unknown>)));
  return ['shakedown', 'lint', '--config', file];
}

/** The minimum that makes a fragment a config. */
function complete(kind: string, fragment: Record<string, unknown>): Record<string, unknown> {
  const run = ['node', 'server.mjs'];
  if (kind === 'service') return { name: 'fragment', services: { example: { run, ...fragment } } };
  return { name: 'fragment', ...fragment };
}

function writeInto(work: string, title: string, text: string): void {
  const file = path.join(work, title);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A `shakedown` on PATH that is the one of this project. */
function makeShim(folder: string): string {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const shim = path.join(bin, 'shakedown');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`);
  chmodSync(shim, 0o755);
  return bin;
}
