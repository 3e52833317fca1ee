/** How many rows of the corpus of wire shapes have a generator whose answers are what the row says. */
import type { Shape } from '../src/protocols/shapes/shape.ts';
import { shapes } from '../src/protocols/shapes/shape-table.ts';
import type { BenchResult } from './run.ts';
import { checkModelShape, type ShapeVerdict } from './shapes/check-model-shape.ts';
import { checkRpcShape } from './shapes/check-rpc-shape.ts';

const rows = 175;

const families: Readonly<Record<string, string>> = {
  S: 'framing',
  C: 'OpenAI chat completions',
  R: 'OpenAI responses',
  A: 'Anthropic messages',
  G: 'Gemini',
  M: 'MCP',
};

export async function bench(): Promise<BenchResult> {
  const checked = shapes.map((shape) => ({ shape, verdict: checkShape(shape) }));
  const generated = checked.filter(({ verdict }) => 'right' in verdict);
  const rest = checked.flatMap(({ shape, verdict }) =>
    'wrong' in verdict ? [`${shape.id}  ${verdict.wrong}`] : [],
  );
  const table = [
    ...familyLines(checked),
    '',
    `Without a generator that counts (${rest.length}):`,
    ...rest,
  ].join('\n');
  return {
    table,
    ratios: { generated: generated.length, rows },
    aims: { generated: { atLeast: 100 } },
    peersAbsent: [],
  };
}

function checkShape(shape: Shape): ShapeVerdict {
  if (shape.make !== undefined) return checkModelShape(shape);
  if (shape.makeRpc !== undefined) return checkRpcShape(shape);
  return { wrong: shape.why ?? 'there is no generator' };
}

interface Checked {
  readonly shape: Shape;
  readonly verdict: ShapeVerdict;
}

function familyLines(checked: readonly Checked[]): readonly string[] {
  const line = (name: string, of: readonly Checked[]): string => {
    const right = of.filter(({ verdict }) => 'right' in verdict).length;
    const answers = of.reduce((sum, { verdict }) => sum + ('right' in verdict ? verdict.right : 0), 0);
    return `${name.padEnd(26)}${String(of.length).padStart(6)}${String(right).padStart(11)}${String(answers).padStart(17)}`;
  };
  return [
    `${'family'.padEnd(26)}${'rows'.padStart(6)}${'generated'.padStart(11)}${'answers checked'.padStart(17)}`,
    ...Object.entries(families).map(([letter, name]) =>
      line(
        name,
        checked.filter(({ shape }) => shape.id.startsWith(letter)),
      ),
    ),
    line('all', checked),
  ];
}
