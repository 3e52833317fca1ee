// Prints a boarding list: node board.mjs CROSSING.
const answer = await fetch(`${process.env.PIER_URL}/manifest/${process.argv[2]}`);
const { people } = await answer.json();
for (const [n, name] of people.entries()) console.log(`${n + 1}. ${name}`);
console.log(`${people.length} on board`);
process.exit(people.length === 0 ? 3 : 0);
