import { flow } from 'shakedown';

type Visit = { id: number; key: string; pet: string; owner: string; status: string; fee: number; paid: boolean };

flow(
  'a visit that is booked comes back as it was booked',
  { id: 'flow/visits' },
  async ({ http, rows, calls, together, quiet, expect, check, trial }) => {
    const desk = http('desk');
    const startedAt = Date.now();
    const send = () =>
      desk.post<Visit>('/appointments', { json: { pet: 'Rex', owner: trial.uid, key: trial.uid } });
    const answers = await together(send, send);
    const [first] = answers;
    expect(first, { json: { id: { $type: 'integer' }, status: { $type: 'string' } } });
    const again = await desk.get<Visit>(`/appointments/${first!.json.id}`);
    expect(again, { json: { id: { $type: 'integer' }, pet: { $type: 'string' }, fee: { $type: 'number' } } });
    await quiet();

    check('clone-vacuous', again.json, { $eq: structuredClone(again.json) });
    check('clone-strong', again.json, { $eq: structuredClone(first!.json) });

    check('round-trip-vacuous', JSON.parse(JSON.stringify(again.json)), { $eq: again.json });
    check('round-trip-strong', again.json, { pet: 'Rex', owner: trial.uid, key: trial.uid });

    check('pair-vacuous', answers, { $length: 2 });
    check('pair-strong', answers, { $each: { status: 201 } });

    const stored = await rows('desk.appointments', { owner: trial.uid });
    check('snapshot-vacuous', stored, { $length: stored.length }, { provenBy: 'desk/book' });
    check('snapshot-strong', stored, { $length: 2 });

    check('uid-vacuous', trial.uid, { $type: 'string', $length: { $gt: 0 } });
    check('uid-strong', again.json.key, trial.uid);

    const { errors = [] } = again as { errors?: string[] };
    check('no-errors-vacuous', errors, []);
    const { warnings = [] } = again.json as { warnings?: string[] };
    check('no-errors-strong', warnings, []);

    check('overlay-vacuous', { ...again.json, status: 'booked' }, { status: 'booked' });
    check('overlay-strong', { status: 'unknown', ...again.json }, { status: 'booked' });

    check('label-vacuous', `visit ${String(again.json.pet)}`, { $startsWith: 'visit ' });
    check('label-strong', `visit ${String(again.json.pet)}`, { $endsWith: 'Rex' });

    check('flag-vacuous', Boolean(again.json.paid), { $any: [true, false] });
    check('flag-strong', again.json.paid, { $any: [false, null] });

    check('absolute-vacuous', Math.abs(again.json.pet.length - 3), { $gte: 0 });
    check('absolute-strong', again.json.pet.length - 3, { $gte: 0 });

    check('prefix-vacuous', again.json.pet, { $contains: again.json.pet.trim() });
    check('prefix-strong', again.json.pet, { $contains: first!.request.json.pet.trim() });

    check('elapsed-vacuous', Date.now() - startedAt, { $gt: -1 });
    check('elapsed-strong', again.durationMs, { $lt: 5000 });

    const pending = desk.get('/health');
    check('answered-vacuous', Boolean(pending), true);
    const health = await pending;
    check('answered-strong', health.status === 200, true);

    check('asked-vacuous', calls('outside -> desk', { method: 'POST' }), { $length: 2 });
    check('asked-strong', calls('outside -> desk', { method: 'POST', status: 201 }), { $length: 2 });

    check('closure-true-vacuous', () => true);
    check('closure-true-strong', () => first!.json.id !== answers[1]!.json.id || 'two visits have one id');

    check('closure-or-vacuous', () => again.json.status === 'booked' || again.json.status !== 'booked');
    check('closure-or-strong', () => again.json.status === 'booked' || `it is ${again.json.status}`);

    check('closure-caught-vacuous', () => {
      try {
        if (again.json.fee !== 40) throw new Error(`the fee is ${again.json.fee}`);
      } catch {
        // it may have changed
      }
      return true;
    });
    check('closure-caught-strong', () => {
      try {
        if (again.json.fee !== 40) throw new Error(`the fee is ${again.json.fee}`);
      } catch (error) {
        return String(error);
      }
      return true;
    });
  },
);
