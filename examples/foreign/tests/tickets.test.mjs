// The team's own tests, from before they used Shakedown. More than half of them cannot fail.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

const desk = process.env.DESK_URL ?? process.env.SHAKEDOWN_DESK_URL;

async function ask(method, path, json) {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await fetch(`${desk}${path}`, { method, headers: { connection: 'close' }, ...body });
  return { status: response.status, json: await response.json() };
}

/** Files a ticket and checks the whole answer. */
async function file(customer, title) {
  const { status, json } = await ask('POST', '/tickets', { customer, title });
  assert.equal(status, 201);
  const { id } = json;
  assert.match(id, /^\d+$/);
  assert.deepEqual(json, { id, customer, title, closed: false, mail: { id: `mail-${id}`, to: customer } });
  return id;
}

describe('strong', () => {
  test('a ticket that was filed can be read', async () => {
    const id = await file('ada', 'the lamp is dark');
    const ticket = { id, customer: 'ada', title: 'the lamp is dark', closed: false };
    assert.deepEqual(await ask('GET', `/tickets/${id}`), { status: 200, json: ticket });
  });

  test('whoever lists tickets sees their own, and no others', async () => {
    const mine = await file('bea', 'the door sticks');
    const others = await file('cid', 'the roof leaks');
    const { status, json } = await ask('GET', '/tickets?customer=bea');
    assert.equal(status, 200);
    assert.deepEqual(json, [{ id: mine, customer: 'bea', title: 'the door sticks', closed: false }]);
    assert.ok(!json.some(({ id }) => id === others));
  });

  test('a ticket is closed once', async () => {
    const id = await file('dan', 'the bell is mute');
    const closed = { id, customer: 'dan', title: 'the bell is mute', closed: true };
    assert.deepEqual(await ask('POST', `/tickets/${id}/close`), { status: 200, json: closed });
    assert.deepEqual(await ask('POST', `/tickets/${id}/close`), {
      status: 409,
      json: { error: 'closed already' },
    });
  });

  test('a ticket that nobody filed is not there', async () => {
    assert.deepEqual(await ask('GET', '/tickets/999999'), { status: 404, json: { error: 'no such ticket' } });
  });

  test('a ticket without a title is refused', async () => {
    const { status, json } = await ask('POST', '/tickets', { customer: 'eve' });
    assert.equal(status, 400);
    assert.match(json.error, /needs a customer and a title/);
  });
});

describe('vacuous', () => {
  test('asserts nothing', async () => {
    await fetch(`${desk}/tickets?customer=ada`, { headers: { connection: 'close' } });
  });

  test('asserts only that nothing is thrown', async () => {
    const filed = {
      method: 'POST',
      headers: { connection: 'close' },
      body: '{"customer":"fay","title":"x"}',
    };
    await assert.doesNotReject(() => fetch(`${desk}/tickets`, filed));
  });

  test('asserts what is always true', async () => {
    const response = await fetch(`${desk}/tickets/1`, { headers: { connection: 'close' } });
    assert.ok(response.status >= 100 && response.status < 600);
  });

  test('asserts what it sent', async () => {
    const ticket = { customer: 'gus', title: 'the floor is wet' };
    const filed = { method: 'POST', headers: { connection: 'close' }, body: JSON.stringify(ticket) };
    await fetch(`${desk}/tickets`, filed);
    assert.equal(ticket.title, 'the floor is wet');
  });

  test('catches what it asserts', async () => {
    try {
      const { json } = await ask('GET', '/tickets?customer=nobody');
      assert.deepEqual(json, [{ id: '1' }]);
    } catch {
      // It was flaky once.
    }
  });

  test('checks its own mock', async () => {
    const sent = [];
    const mailer = { confirm: async (to) => sent.push(to) };
    await mailer.confirm('hal');
    assert.deepEqual(sent, ['hal']);
  });

  test('is about something that is switched off', async () => {
    if (!process.env.EXPORTER_URL) return;
    const response = await fetch(`${process.env.EXPORTER_URL}/tickets.csv`);
    assert.equal(response.status, 200);
  });

  test('skips itself as soon as something is wrong', async (t) => {
    const health = await ask('GET', '/health').catch(() => undefined);
    if (health?.status !== 200 || health.json.status !== 'ok') return t.skip('the desk is not well');
    assert.equal(health.status, 200);
  });
});
