/** Calls that have a place of their own, and what all other code uses instead. */
import { dottedName, inSource, nodesWhere, type TidyRule } from './rule.ts';

/** The command line and the entries of processes of ours are where the outside world comes in. */
const insideRooms = (file: string): boolean =>
  inSource(file) && !file.startsWith('src/cli/') && !file.endsWith('-main.ts');

/** Values of the system under test pass through all the others. */
const seesValues = (file: string): boolean =>
  inSource(file) && !/^src\/(?:campaigns|cli|environment|kernel|system)\//.test(file);

function banned(
  names: readonly string[],
  instead: string,
  looksAt: TidyRule['looksAt'],
  good: readonly string[],
): TidyRule {
  const isBanned = (name: string | undefined): boolean =>
    names.some((candidate) => name === candidate || (candidate.endsWith('.') && name?.startsWith(candidate)));
  return {
    name: names[0]?.replace(/\.$/, '') ?? '',
    instead,
    looksAt,
    find: nodesWhere((node, around) => {
      const name = dottedName(node);
      const parent = around.at(-1);
      const isPart = parent?.type === 'MemberExpression' && dottedName(parent) !== undefined;
      const isDefinition =
        parent?.type === 'Property' && !parent.computed && parent.key === node && !parent.shorthand;
      return isBanned(name) && !isPart && !isDefinition ? name : undefined;
    }),
    bad: names.map((name) =>
      name.endsWith('.') ? `export const a = ${name}x;` : `export const a = ${name}(1);`,
    ),
    good,
  };
}

/** Written text may contain a secret; the room `journal` removes it. */
const mayWrite = (file: string): boolean => inSource(file) && !file.startsWith('src/journal/');

export const bannedCalls: readonly TidyRule[] = [
  banned(
    [
      'writeFile',
      'writeFileSync',
      'appendFile',
      'appendFileSync',
      'createWriteStream',
      'writeSync',
      'writeFileBelow',
      'createFileBelow',
    ],
    'journal/write-redacted; or an exception that says why no secret can be in it',
    mayWrite,
    ['export const a = writeFindings(file, value, redactor);'],
  ),
  banned(
    ['Date.now', 'performance.now'],
    '`clock.now()`, or `clock.monotonic()` for a difference',
    inSource,
    ['export const a = clock.now();', '// Date.now()\nexport const a = `Date.now()`;'],
  ),
  banned(
    ['Math.random', 'randomUUID', 'randomBytes', 'randomInt'],
    'the seeded `random`, or kernel/unique-id',
    inSource,
    ['export const a = random.next() + Math.max(1, 2);'],
  ),
  banned(['setTimeout', 'setInterval'], '`clock.sleep` or `clock.after`', inSource, [
    'socket.setTimeout(5);',
    'export const a = { setTimeout: 1 };',
  ]),
  banned(['process.env.', 'process.env'], 'the `env` that the command line passes on', insideRooms, [
    'export const a = process.pid;',
  ]),
  banned(
    ['process.stdout.', 'process.stderr.', 'process.stdout', 'process.stderr'],
    'cli/call/terminal.ts, which lets nothing from outside steer a terminal',
    (file) => inSource(file) && !file.endsWith('-main.ts'),
    ['export const a = terminal.out(1);'],
  ),
  banned(['console.'], 'throw once with context; the top prints once', insideRooms, [
    'export const a = terminal.out(1);',
  ]),
  banned(['JSON.parse'], '`parseExactJson`, which keeps all digits of a number', seesValues, [
    'export const a = parseExactJson(text);',
  ]),
  banned(
    [
      'rm',
      'rmSync',
      'rmdir',
      'rmdirSync',
      'unlink',
      'unlinkSync',
      'chmod',
      'chmodSync',
      'chown',
      'chownSync',
      'lchown',
      'lchownSync',
    ],
    '`removeTree`, `removeFile` or another function of kernel/folders, which follow no link',
    (file) => inSource(file) && !file.startsWith('src/kernel/folders/'),
    ['removeFile(file);', 'export const a = { rm: 1 };', 'fchmodSync(descriptor, 0o600);'],
  ),
  {
    name: 'new Date()',
    instead: '`new Date(clock.now())`',
    looksAt: inSource,
    find: nodesWhere((node) =>
      node.type === 'NewExpression' && dottedName(node.callee) === 'Date' && node.arguments.length === 0
        ? 'new Date()'
        : undefined,
    ),
    bad: ['export const a = new Date();'],
    good: ['export const a = new Date(clock.now());'],
  },
  {
    name: 'timers',
    instead: '`clock.sleep` or `clock.after`',
    looksAt: inSource,
    find: nodesWhere((node, around) => {
      const from = around.at(-1);
      const isTimer =
        from?.type === 'ImportDeclaration' && String(from.source.value).startsWith('node:timers');
      const isWait = node.type === 'ImportSpecifier' && dottedName(node.imported) !== 'setImmediate';
      return isTimer && isWait ? `a timer of ${from.source.value}` : undefined;
    }),
    bad: ["import { setTimeout as delay } from 'node:timers/promises';"],
    good: [
      "import { connect } from 'node:net';",
      "import { setImmediate as nextTurn } from 'node:timers/promises';",
    ],
  },
];
