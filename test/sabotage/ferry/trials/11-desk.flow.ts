import { flow } from 'shakedown';

interface Booking {
  id: number;
  seats: number;
  status: string;
  passenger: string;
  fareCents: number;
}

flow(
  'a morning at the desk',
  { id: 'ferry/desk' },
  async ({ http, rows, calls, logs, redis, expect, check, trial, quiet }) => {
    const office = http('office');
    const order = { crossing: 'K1', passenger: trial.uid, seats: 2 };
    const booked = await office.post<{ booking: Booking; left: number }>('/bookings', {
      json: order,
      as: 'booked',
    });
    const { booking, left } = booked.json;
    expect(order, { seats: 2 });
    check('order-seats', order.seats, 2);
    check('same-order', { ...order }, { passenger: trial.uid });
    check('left-type', typeof left, 'number');
    check('left-default', Math.max(left, 0), { $gte: 0 });
    check('id-truthy', Boolean(booking.id) || true, true);
    const list = await office.get<{ bookings: Booking[]; total: number }>(`/bookings?passenger=${trial.uid}`);
    const mine = list.json.bookings.filter((one) => one.passenger === trial.uid);
    check(
      'mine-only',
      mine.every((one) => one.passenger === trial.uid),
      true,
    );
    check(
      'mine-count',
      mine.length === list.json.bookings.filter((one) => one.passenger === trial.uid).length,
      true,
    );
    check('length-number', list.json.bookings.length, { $gte: 0 });
    check('copy', JSON.parse(JSON.stringify(booking)) as Booking, booking as never);
    let said = 'booked';
    try {
      const again = await office.post('/bookings', { json: { crossing: 'K9' } });
      if (again.status !== 404) said = 'booked';
    } catch {
      said = 'booked';
    }
    check('said-booked', said, 'booked');
    const look = await rows('office.bookings', { passenger: trial.uid });
    check('rows-same', look.length - look.length, 0);
    await quiet();
    check('shown', mine, [{ id: booking.id, seats: 2, status: 'held' }]);
    check('total', list.json.total, 1);
    check('left', left, 18);
    check('fare', booking.fareCents, 1400);
    check('stored', rows('office.bookings', { passenger: trial.uid }), [{ seats: 2, status: 'held' }]);
    check('listed', calls('office -> pier'), [{ status: 200 }]);
    check('held', redis('store', `hold:${booking.id}`), { $length: 1 });
    check('one-line', logs('office', { match: 'INFO held' }), { $length: 1 });
    check(
      'sum',
      look.map((row) => Number(row.seats)).reduce((sum, n) => sum + n, 0),
      2,
    );
    check(
      'refused',
      (await office.post('/bookings', { json: { crossing: 'K2', passenger: 'x', seats: 4 } })).status,
      409,
    );
  },
);
