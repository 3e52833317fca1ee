const a = await fetch(`${process.argv[2]}/stats`);
if (!a.ok) {
  console.error(`garage said ${a.status}`);
  process.exit(1);
}
const s = await a.json();
console.log(JSON.stringify({ open: s.open, closed: s.closed, revenue: s.revenueCents }));
