import { flow } from 'shakedown';

type Story = { id: string; slug: string; words: number; state: string; ref: string };
type Listing = { items: Story[]; total: number };

flow(
  'stories that are filed at once all get a place of their own',
  { id: 'flow/ledger' },
  async ({ http, calls, events, logs, files, process, together, quiet, check, trial }) => {
    const gateway = http('gateway');
    const payload = { headline: 'Circus in town', desk: 'culture', text: 'Lions and clowns', ref: trial.uid };
    const first = await gateway.post<Story>('/stories', { json: payload, as: 'first' });
    const send = (n: number) => () =>
      gateway.post<Story>('/stories', { json: { ...payload, headline: `Act ${n}` } });
    const answers = await together(send(1), send(2), send(3));
    await quiet();
    const listing = await gateway.get<Listing>('/stories', { as: 'listing' });
    const items = listing.json?.items ?? [];
    const ids = items.map((item) => item?.id);

    check('itself-vacuous', listing.json ?? null, listing.json ?? null);
    check('itself-strong', listing.json ?? null, { total: 4, items: { $length: 4 } });

    check('clone-vacuous', first, structuredClone(first) as never);
    check('clone-strong', first, { status: 201, json: { state: 'filed', words: 3 } });

    check('roundtrip-vacuous', listing.json ?? null, JSON.parse(JSON.stringify(listing.json ?? null)));
    check('roundtrip-strong', listing.json ?? null, JSON.parse('{"items":{"$each":{"desk":"culture"}}}'));

    check('sent-vacuous', payload.headline, 'Circus in town');
    check('sent-strong', items[0] ?? null, { headline: 'Circus in town' } as never);

    check('barrier-vacuous', answers, { $length: 3 });
    check('barrier-strong', answers, { $each: { status: 201 } });

    check('distinct-vacuous', new Set(ids).size <= ids.length, true);
    check('distinct-strong', new Set(ids).size === 4, true);

    check('sorted-vacuous', [...ids].map(String).sort(), [...ids].map(String).sort());
    check('sorted-strong', ids.map(String), ['st-1', 'st-2', 'st-3', 'st-4']);

    check('text-vacuous', String(first.json?.slug), { $type: 'string' });
    check('text-strong', first.json?.slug ?? null, { $type: 'string' });

    check('either-vacuous', listing.status === 200 || listing.status !== 200, true);
    check('either-strong', listing.status === 200 || listing.status === 206, true);

    check('there-vacuous', Boolean(first), true);
    check('there-strong', Boolean(first.json?.id), true);

    check('words-vacuous', Math.max(0, Number(first.json?.words) || 0), { $gte: 0 });
    check('words-strong', first.json?.words ?? null, { $gte: 1 });

    check('fallback-vacuous', items.length, { $lt: 1e9 });
    check('fallback-strong', items.length, { $lt: 5 });

    check('closure-vacuous', () => true);
    check('closure-strong', () => ids.every((id) => /^st-\d+$/.test(String(id))) || `odd ids: ${ids}`);

    check('closure-length-vacuous', () => ids.length >= 0 || 'less than none');
    check('closure-length-strong', () => ids.length >= 4 || `only ${ids.length}`);

    check('closure-caught-vacuous', () => {
      try {
        if (listing.json.total !== items.length) throw new Error('the total is wrong');
      } catch {
        return true;
      }
      return true;
    });
    check('closure-caught-strong', () => {
      try {
        if (listing.json.total !== items.length) throw new Error('the total is wrong');
      } catch (error) {
        return String(error);
      }
      return true;
    });

    const seen = await events('gateway', { file: 'events.jsonl' });
    check('observed-vacuous', seen.length, seen.length);
    check('observed-strong', events('gateway', { file: 'events.jsonl', where: { type: 'story.filed' } }), {
      $length: 4,
    });

    check('asked-vacuous', calls('outside -> gateway'), { $length: { $gte: 1 } });
    check('asked-strong', calls('gateway -> agent'), { $length: 4 });

    check('crossing-vacuous', calls('gateway -> agent', { crossing: { $lt: 1 } }), [], { provenBy: 'proof/sources' });
    check('crossing-strong', calls('gateway -> agent', { crossing: { $gt: 4 } }), [], { provenBy: 'proof/sources' });

    check('noise-vacuous', logs('gateway', { match: 'WARN\\n' }), [], { provenBy: 'proof/sources' });
    check('noise-strong', logs('gateway', { match: '^WARN' }), [], { provenBy: 'proof/sources' });

    check('runs-vacuous', process('gateway'), { running: { $any: [true, false] } });
    check('runs-strong', process('gateway'), { running: true, restarts: 0 });

    check('folder-vacuous', files('gateway', { path: '**' }), { $some: { bytes: { $lt: 0 } } }, {
      never: true,
      provenBy: 'proof/sources',
    });
    check('folder-strong', files('gateway', { path: '**' }), { $length: { $lte: 1 } }, { provenBy: 'proof/sources' });
  },
);
