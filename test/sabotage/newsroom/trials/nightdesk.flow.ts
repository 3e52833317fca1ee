import { flow } from 'shakedown';

flow(
  'a question and a publication, as one shift of the night desk',
  {
    id: 'flow/nightdesk',
    model: { agent: [{ calls: { find_clip: { topic: 'bridge' } } }, { says: 'It opened in 1932.' }] },
    peers: {
      wire: [
        {
          on: 'POST /items',
          answer: { status: 202, json: { queued: true, ticket: 'W-5' } },
          callback: { to: 'gateway', path: '/hooks/wire', json: { ticket: 'W-5', state: 'delivered' } },
        },
      ],
    },
  },
  async ({ http, mcp, tcp, command, calls, events, logs, quiet, check, expect, url, trial }) => {
    const gateway = http('gateway');
    const question = 'When did the bridge open?';
    const began = Date.now();
    const asked = await gateway.post<{ answer: string; tools: string[] }>('/ask', { json: { question } });
    const tookMs = Date.now() - began;
    const filed = await gateway.post<{ id: string }>('/stories', {
      json: { headline: 'Night shift', desk: 'city', text: 'Quiet', ref: trial.uid },
    });
    expect(filed, { status: 201 });
    const published = await gateway.post<{ ticket: string }>(`/stories/${filed.json.id}/publish`);
    await quiet();
    const maybe = await gateway.get<{ error?: string }>('/stories/none', { mayFail: true });
    const after = await gateway.get<{ state: string }>(`/stories/${filed.json.id}`);

    check('took-vacuous', tookMs, { $gte: 0 });
    check('took-strong', tookMs, { $lt: 8000 });

    check('question-vacuous', asked.request, { json: { question } });
    check('question-strong', calls('gateway -> agent', { path: '/ask' }), [{ request: { json: { question } } }]);

    check('outcome-vacuous', maybe, { $any: [{ error: { $present: true } }, { status: { $present: true } }] });
    check('outcome-strong', maybe, { status: 404, json: { error: { $contains: 'none' } } });

    check('length-vacuous', question.length, { $gt: 0 });
    check('length-strong', asked.json?.answer?.length ?? 0, { $gt: 0 });

    const wanted = asked.json?.answer ?? null;
    check('copied-vacuous', asked.json?.answer ?? null, wanted);
    check('copied-strong', asked.json?.answer ?? null, 'It opened in 1932.');

    const looked = await logs('agent');
    check('relooked-vacuous', looked.map((line) => line.text), looked.map((line) => line.text));
    check('relooked-strong', logs('agent', { match: 'tool find_clip' }), { $length: 1 });

    const sent = await events('gateway', { file: 'events.jsonl' }).until({ $some: { type: 'story.delivered' } });
    check('counted-vacuous', sent.filter((event) => event.type === 'story.delivered').length >= 1, true);
    check('counted-strong', sent.filter((event) => event.type === 'story.delivered').length <= 1, true);

    check('reply-vacuous', calls('gateway -> wire', { status: 202 }), { $each: { response: { json: { ticket: 'W-5' } } } }, {
      provenBy: 'proof/sources',
    });
    check('reply-strong', published, { json: { ticket: 'W-5' } });

    const delivered = { state: 'delivered' };
    check('state-vacuous', delivered, { state: 'delivered' });
    check('state-strong', after, { json: { state: 'delivered' } });

    check('merged-vacuous', { ...(after.json ?? {}), state: 'delivered' } as never, { state: 'delivered' });
    check('merged-strong', { state: 'lost', ...(after.json ?? {}) } as never, { state: 'delivered' });

    const settled = await Promise.allSettled([mcp('toolbox').call('find_clip', { topic: 'harbour' })]);
    check('settled-vacuous', settled.length, 1);
    check('settled-strong', settled[0]?.status === 'fulfilled' ? settled[0].value : null, {
      isError: false,
      result: { $contains: '1947' },
    } as never);

    const run = await command('python3 ../system/presscli.py list; echo finished', { env: { PRESS_URL: url('gateway') } });
    check('finished-vacuous', run, { stdout: { $contains: 'finished' } });
    check('finished-strong', run, { stdout: { $contains: 'night-shift' } });

    const line = await tcp('ticker', { codec: 'newline-json' });
    await line.until({ received: { $length: 1 } });
    const pong = await line.send({ op: 'ping' }, { receive: 1 });
    check('line-vacuous', pong, { bytesSent: { $gt: 0 } });
    check('line-strong', pong, { received: { $contains: { op: 'pong' } } });

    check('closure-or-vacuous', () => Boolean(asked.json?.tools?.length) || true);
    check('closure-or-strong', () => Boolean(asked.json?.tools?.length) || 'no tool was used');

    check('address-vacuous', url('gateway'), { $startsWith: 'http' });
    check('address-strong', filed, { headers: { location: `/stories/${filed.json.id}` } });

    check('unique-vacuous', trial.uid, { $regex: '.+' });
    check('unique-strong', logs('gateway', { match: trial.uid }), { $length: 2 });
  },
);
