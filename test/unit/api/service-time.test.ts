import { expect, test } from 'vitest';
import { connect, fetchFailed, html, json } from './fake-service.ts';

const sentAt = (date: string) => json({}, 200, { date });
const noon = Date.parse('2026-11-21T12:00:00Z');

test('the time at the service is unknown until an answer tells it', async () => {
  const { client } = connect(() => json({}));
  expect(client.serviceTime()).toBeUndefined();
  await client.getLimits();
  expect(client.serviceTime()).toBeUndefined();
});

test('the newest answer tells it, also a refusal and one from a clock that was set back', async () => {
  const answers = [
    sentAt('Sat, 21 Nov 2026 12:00:00 GMT'),
    json({ title: 'Not found' }, 404, { date: 'Sat, 21 Nov 2026 12:00:07 GMT' }),
    sentAt('Sat, 21 Nov 2026 10:00:00 GMT'),
  ];
  const { client } = connect((_, count) => answers[count - 1] ?? json({}));
  await client.getLimits();
  expect(client.serviceTime()).toBe(noon);
  expect(await client.get('vm', { projectId: 'p' }, 'v')).toBeUndefined();
  expect(client.serviceTime()).toBe(noon + 7_000);
  await client.getLimits();
  expect(client.serviceTime()).toBe(noon - 7_200_000);
  expect(client.latestServiceTime()).toBe(noon + 7_000);
});

test('a list is from the past when it was written well before what was known when it was asked for', async () => {
  const at = (time: string) => ({ date: `Sat, 21 Nov 2026 ${time} GMT` });
  const page = (items: object[], time: string) =>
    json({ items, page: 1, pageSize: 100, totalCount: items.length }, 200, at(time));
  const answers = [
    page([], '12:00:00'),
    page([], '11:59:55'),
    page([], '11:59:54'),
    json([], 200),
    page([], '10:00:00'),
    page([], '10:00:00'),
  ];
  const { client, clock } = connect((_, count) => answers[count - 1] ?? json([]));
  const isFromPast = async () => client.isFromPast(await client.list('vm', { projectId: 'prj-1' }));
  expect(await isFromPast()).toBe(false);
  expect(await isFromPast()).toBe(false);
  expect(await isFromPast()).toBe(true);
  expect(await isFromPast()).toBe(false);
  // A clock that was set back is believed after a minute.
  clock.time += 61_000;
  expect(await isFromPast()).toBe(true);
  expect(await isFromPast()).toBe(false);
});

test('neither a proxy, nor a broken header, nor a lost answer tells it', async () => {
  const proxied = html(404);
  proxied.headers.set('date', 'Sat, 21 Nov 2026 23:00:00 GMT');
  const { client } = connect((_, count) =>
    count === 1
      ? sentAt('Sat, 21 Nov 2026 12:00:00 GMT')
      : count === 2
        ? proxied
        : count === 3
          ? fetchFailed('ECONNRESET')
          : sentAt('soon'),
  );
  await client.getLimits();
  await client.getLimits();
  expect(client.serviceTime()).toBe(noon);
});
