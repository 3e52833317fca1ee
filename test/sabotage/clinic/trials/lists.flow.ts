import { flow } from 'shakedown';

type Visit = { id: number; pet: string; fee: number; status: string };
type List = { items: Visit[]; total: number };

flow(
  'the list of an owner has all visits, in order, each once',
  { id: 'flow/lists' },
  async ({ http, mcp, command, logs, url, expect, check, trial }) => {
    const desk = http('desk');
    const pets = ['Ben', 'Ida', 'Leo'];
    for (const pet of pets) {
      await desk.post('/appointments', { json: { pet, owner: trial.uid, key: pet }, as: `book-${pet}` });
    }
    const list = await desk.get<List>('/appointments', { query: { owner: trial.uid } });
    expect(list, { json: { items: { $each: { id: { $type: 'integer' }, fee: { $type: 'number' } } } } });
    const { items } = list.json;
    const ids = items.map((item) => item.id);
    const seen = items.map((item) => item.pet);

    check('unique-vacuous', new Set(ids).size, { $lte: ids.length });
    check('unique-strong', new Set(ids).size, 3);

    check('sorted-vacuous', [...ids].sort((a, b) => a - b), [...ids].sort((a, b) => a - b));
    check('sorted-strong', ids, [...ids].sort((a, b) => a - b));

    const missing: string[] = [];
    for (const pet of pets) if (!seen.includes(pet)) missing.concat(pet);
    check('missing-vacuous', missing, []);
    const lost: string[] = [];
    for (const pet of pets) if (!seen.includes(pet)) lost.push(pet);
    check('missing-strong', lost, []);

    check('clamped-vacuous', Math.min(items.length, 3), { $lte: 3 });
    check('clamped-strong', items.length, { $lte: 3 });

    const fees = items.map((item) => item.fee).sort((a, b) => a - b);
    check('range-vacuous', (fees.at(0) ?? 0) <= (fees.at(-1) ?? 0), true);
    check('range-strong', (fees.at(0) ?? 0) > 0, true);

    const total = items.reduce((sum, item) => sum + item.fee, 0);
    check('sum-vacuous', total, items.map((item) => item.fee).reduce((a, b) => a + b, 0));
    check('sum-strong', total, 120);

    check('part-vacuous', items.filter((item) => item.status === 'booked').length, { $lte: items.length });
    check('part-strong', items.filter((item) => item.status === 'booked').length, { $gte: 3 });

    let refused = false;
    try {
      const answer = await desk.post('/appointments', { json: { owner: trial.uid }, as: 'nameless' });
      refused = answer.status === 422 || true;
    } catch {
      refused = true;
    }
    check('refused-vacuous', refused, true);
    const nameless = await desk.post('/appointments', { json: { owner: trial.uid } });
    check('refused-strong', nameless.status === 422, true);

    const unknown = await desk.get<{ error: string }>(`/appointments/${trial.uid}`);
    expect(unknown, { json: { error: { $type: 'string' } } });
    const complaint = `the desk said: ${unknown.json.error}`;
    check('complaint-vacuous', complaint, { $contains: unknown.json.error });
    check('complaint-strong', complaint, { $contains: trial.uid });

    const offered = await mcp('tools').list('tools');
    expect(offered, { names: { $type: 'array' } });
    const { names } = offered as unknown as { names: string[] };
    check('tools-vacuous', names, { $eq: [...names] });
    check('tools-strong', names, { $contains: ['find_slot', 'book_visit'] });

    const listed = await command(['sh', '-c', `timeout -s KILL 6 node ../clinic.mjs list ${trial.uid} || true`], {
      env: { DESK_URL: url('desk') },
    });
    check('cli-vacuous', listed, { exitCode: 0 });
    check('cli-strong', listed, { stdout: { $contains: 'Ida' } });

    const lines = await logs('desk', { match: 'booked' });
    check('log-vacuous', lines, { $length: { $lte: Math.max(lines.length, 3) } }, { provenBy: 'desk/cancel' });
    check('log-strong', lines, { $length: 3 });

    check('closure-length-vacuous', () => items.length >= 0);
    check('closure-length-strong', () => items.length === 3 || `there are ${items.length}`);

    check('closure-every-vacuous', () => items.filter(() => false).every((item) => item.fee === 40));
    check('closure-every-strong', () => items.every((item) => item.fee === 40) || 'a fee is not 40');
  },
);
