// The nursery's own command line: prints its plants, and how it is used.
const [act] = process.argv.slice(2);
if (act === '--help') console.log('usage: catalogue list');
else if (act === 'list') {
  const answer = await fetch(`${process.env.BEDS_URL}/plants`);
  for (const { name } of (await answer.json()).plants) console.log(name);
} else process.exit(2);
