// The command line of the clinic: clinic list OWNER, clinic verify ID, clinic book PET OWNER.
const [verb, ...words] = process.argv.slice(2);
const base = process.env.DESK_URL;
if (verb === 'list') {
  const { items } = await (await fetch(`${base}/appointments?owner=${encodeURIComponent(words[0])}`)).json();
  for (const item of items) console.log(`${item.id}\t${item.pet}\t${item.status}`);
} else if (verb === 'verify') {
  const answer = await fetch(`${base}/appointments/${words[0]}`);
  if (!answer.ok) {
    console.error(`no such appointment: ${words[0]}`);
    process.exit(1);
  }
  console.log(JSON.stringify(await answer.json()));
} else if (verb === 'book') {
  const answer = await fetch(`${base}/appointments`, { method: 'POST', body: JSON.stringify({ pet: words[0], owner: words[1], key: 'cli' }) });
  const { id, error } = await answer.json();
  if (error) {
    console.error(error);
    process.exit(1);
  }
  console.log(`booked ${id}`);
} else {
  console.error('usage: clinic list OWNER | verify ID | book PET OWNER');
  process.exit(64);
}
