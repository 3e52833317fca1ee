// biome-ignore-all lint/style/noNonNullAssertion: by another author, as it was written
// biome-ignore-all lint/correctness/useIsNan: by another author, as it was written
import { flow } from 'shakedown';

type Session = {
  id: number;
  plate: string;
  status: string;
  feeCents: number | null;
  owner: string;
  enteredAt: string;
  chargeId: string;
  valid?: boolean;
};

flow('closures of the gate team', { id: 'flow/closures' }, async ({ http, rows, check }) => {
  const garage = http('garage');
  const entered = await garage.post<Session>('/sessions', {
    json: { plate: 'FL-1', spot: 'A1' },
    as: 'entered',
  });
  const exited = await garage.post<Session>(`/sessions/${entered.json.id}/exit`, {
    json: { minutes: 45 },
    as: 'exited',
  });
  const list = await garage.get<{ items: Session[] }>('/sessions', { query: { plate: 'fl-1' }, as: 'lower' });
  const full = await garage.get<{ items: Session[] }>('/sessions', { query: { plate: 'FL-1' }, as: 'full' });
  const stored = await rows('garage.sessions');

  check('fee-known', () => exited.json.feeCents !== undefined || exited.json.feeCents === undefined);
  check('fee-exact', () => exited.json.feeCents === 300 || `fee ${exited.json.feeCents}`);

  check('valid-flag', () => exited.json.valid ?? true);
  check('closed-flag', () => exited.json.status === 'closed' || 'still open');

  check('parses', () => {
    try {
      return JSON.parse(JSON.stringify(exited.json)).nested.fee === 300;
    } catch {
      return true;
    }
  });
  check('rounds', () => {
    try {
      return Math.round(exited.json.feeCents! / 100) === 3;
    } catch {
      return 'no fee';
    }
  });

  check('lower-all-closed', () => list.json.items.every((item) => item.status === 'closed'));
  check(
    'full-all-closed',
    () => full.json.items.length === 1 && full.json.items.every((item) => item.status === 'closed'),
  );

  check('fee-nonneg', () => Math.max(0, Number(exited.json.feeCents ?? 0)) >= 0);
  check('fee-hourly', () => Number(exited.json.feeCents) % 300 === 0 && Number(exited.json.feeCents) > 0);

  check('date-made', () => new Date(entered.json.enteredAt) instanceof Date);
  check('date-valid', () => !Number.isNaN(Date.parse(entered.json.enteredAt)));

  check('ids-not-more', () => new Set(full.json.items.map((item) => item.id)).size <= full.json.items.length);
  check('stored-count', () => stored.length === full.json.items.length || 'rows and list differ');

  check('mentions-plate', () => JSON.stringify(entered).includes('FL-1'));
  check('answer-mentions-plate', () => JSON.stringify(entered.json).includes('FL-1'));

  // @ts-expect-error: it is always true, which is the point
  check('fee-not-nan', () => (exited.json.feeCents as unknown) !== NaN);
  check('owner-not-blank', () => entered.json.owner.trim() !== '');

  const problems: string[] = [];
  full.json.items.forEach(async (item) => {
    const again = await Promise.resolve(item);
    if (again.status !== 'closed') problems.push(again.status);
  });
  check('no-problems', () => problems.length === 0);
  const faults: string[] = [];
  for (const item of full.json.items) if (item.chargeId === null) faults.push(String(item.id));
  check('no-faults', () => faults.length === 0 && full.json.items.length > 0);
});
