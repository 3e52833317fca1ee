/** Loads the config named on the command line and prints the system, or what is wrong with it, as JSON. */
import { formatProblem, problemsIn } from '../../src/kernel/problem.ts';
import { loadSystem } from '../../src/system/load-system.ts';

const [file = ''] = process.argv.slice(2);
try {
  const system = await loadSystem({ file }, {});
  process.stdout.write(JSON.stringify({ system, problems: [] }));
} catch (error) {
  process.stdout.write(JSON.stringify({ problems: problemsIn(error).map(formatProblem) }));
}
