// A program for the command line: sums the numbers of its input, as a text or as JSON; with `chat` it goes on until told to end.
import { createInterface } from 'node:readline';

const [act, name] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin });
if (act === 'sum') {
  const numbers = [];
  for await (const line of lines) numbers.push(Number(line));
  if (numbers.some(Number.isNaN)) {
    console.error('sums-up: that is no number');
    process.exit(2);
  }
  const sum = numbers.reduce((all, one) => all + one, 0);
  console.log(
    name === '--json'
      ? JSON.stringify({ read: numbers.length, sum, skipped: [] })
      : `${numbers.length} entries, ${sum} in all`,
  );
} else if (act === 'greet') {
  console.log(JSON.stringify({ name, greeting: `Good day, ${name}`, letters: name.length }));
} else if (act === 'chat') {
  let sum = 0;
  process.stdout.write('> ');
  lines.on('line', (line) => {
    if (line === 'end') {
      console.log(`bye, ${sum}`);
      process.exit(0);
    }
    sum += Number(line);
    process.stdout.write(`${line} makes ${sum}\n> `);
  });
}
