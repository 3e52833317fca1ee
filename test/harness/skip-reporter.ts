/** Reports at the end which tests were skipped and why; where skipping is forbidden, one skip fails the run. */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    console.log(` ${skipped.length} skipped:`);
    for (const test of skipped)
      console.log(`   ${test.module.relativeModuleId} > ${test.fullName}: ${reasonOf(test)}`);
    if (process.env.SHAKEDOWN_TEST_POLICY !== 'no-skips') return;
    console.log(' Skipping is forbidden here (SHAKEDOWN_TEST_POLICY=no-skips).');
    process.exitCode = 1;
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given';
}
