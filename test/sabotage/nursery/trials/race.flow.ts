import { flow } from 'shakedown';

flow('two buyers at once', { id: 'nursery/race' }, async ({ http, calls, together, check, trial }) => {
  const beds = http('beds');
  const buy = (buyer: string) => () =>
    beds.post('/sales', { json: { plant: `${buyer}-${trial.uid}`, buyer: `${buyer}-${trial.uid}` } });
  const answers = await together(buy('ann'), buy('ben'));
  check('one-vacuous', answers, { $some: { status: { $gte: 200 } } });
  check('one-strong', answers, { $some: { status: 201 } });
  check('sold-vacuous', answers.length > 1, true);
  check(
    'sold-strong',
    answers.some(({ status }) => status === 201),
    true,
  );
  check('method-vacuous', calls('outside -> beds', { method: 'PUT' }), [], { provenBy: 'nursery/seen' });
  check('method-strong', calls('outside -> beds', { status: 500 }), [], { provenBy: 'nursery/seen' });
});

flow('programs from a flow', { id: 'nursery/programs' }, async ({ command, check }) => {
  const done = await command(['sh', '-c', 'true']);
  check('ran-vacuous', done, { exitCode: 0 });
  const help = await command(['node', '../services/catalogue.mjs', '--help']);
  check('ran-strong', help, { exitCode: 0 });
});
