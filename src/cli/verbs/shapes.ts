/** `shakedown shapes`: lists the shapes in which answers of models and tool servers can be sent. */
import { exitCodes } from '../../kernel/exit-codes.ts';
import { nearest } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import type { Shape } from '../../protocols/shapes/shape.ts';
import { shapes as rows } from '../../protocols/shapes/shape-table.ts';
import type { Verb } from '../call/verb.ts';

export const shapes: Verb = {
  summary: 'list the shapes in which answers of models and tool servers can be sent',
  usage: '[ID…]',
  positionals: rows.length,
  options: {
    over: { value: 'DIALECT', help: 'only those of this dialect, such as openai-chat or mcp-http' },
    tier: { value: 'TIER', help: 'only those of tier 1, 2 or 2c' },
  },
  run: async ({ positionals, options, json, terminal }) => {
    for (const word of positionals)
      oneOf(
        'ID',
        word,
        rows.map(({ id }) => id),
      );
    const over = oneOf('--over', options.over, [...new Set(rows.flatMap((row) => row.over))]);
    const tier = oneOf('--tier', options.tier, ['1', '2', '2c']);
    const chosen = rows.filter(
      (row) =>
        (positionals.length === 0 || positionals.includes(row.id)) &&
        (over === undefined || row.over.some((one) => one === over)) &&
        (tier === undefined || row.tier === tier),
    );
    terminal.out(json ? JSON.stringify({ shapes: chosen.map(asData) }) : chosen.map(asLine).join('\n'));
    return exitCodes.held;
  },
};

function asData({ id, tier, title, right, policy, changes, over, why, seen }: Shape): unknown {
  const generated = why === undefined;
  return { id, tier, title, right, policy, changes: changes ?? [], over, generated, why, seen };
}

function asLine({ id, tier, title, why }: Shape): string {
  return `${id}  ${tier.padEnd(2)}  ${title}${why === undefined ? '' : ` (not generated: ${why})`}`;
}

function oneOf(
  where: string,
  value: string | boolean | undefined,
  allowed: readonly string[],
): string | undefined {
  if (typeof value !== 'string' || allowed.includes(value))
    return typeof value === 'string' ? value : undefined;
  const meant = nearest(value, allowed);
  throw badUsage(
    where,
    `unknown value ${JSON.stringify(value)}`,
    allowed.length > 20 ? `${allowed[0]} to ${allowed.at(-1)}` : allowed.join(', '),
    meant === undefined ? 'run `shakedown shapes`' : `did you mean ${meant}?`,
  );
}
