import { expect, test } from 'vitest';
import { drawVariants } from '../support/budget/budget.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, describeFailures, World } from './world.ts';
import { expectApplied } from './expect-built.ts';

const settings = `
account:
  locale: de-DE
  notifications: { quotaLow: false }
projects: { demo: }
`;

async function readSettings(world: World) {
  const [settings] = await world.time.run(world.connect().list('account', { projectId: '' }));
  return { locale: settings?.locale, ...settings?.notifications };
}

/** What the next plan would do, a line each. */
async function nextActions(world: World, yaml: string): Promise<string[]> {
  const { plan } = await world.plan(await configure(yaml));
  return plan.changes
    .filter(({ action }) => action !== 'no-op')
    .map(({ action, address }) => `${action} ${address}`);
}

const others = { operationFailed: true, operationSucceeded: false };

test('only what is configured is set, and it stays when it leaves the configuration', async () => {
  const world = await World.open();
  await expectApplied(world, await configure(settings));
  expect(await readSettings(world)).toEqual({ locale: 'de-DE', quotaLow: false, ...others });
  expect(await nextActions(world, settings)).toEqual([]);

  const without = 'projects: { demo: }';
  expect(await nextActions(world, without)).toEqual(['forget account']);
  await expectApplied(world, await configure(without));
  expect(await readSettings(world)).toEqual({ locale: 'de-DE', quotaLow: false, ...others });
  expect(await nextActions(world, without)).toEqual([]);
});

test('a destroy leaves the settings as they are', async () => {
  const world = await World.open();
  const desired = await configure(settings);
  await world.apply(desired);
  await expectApplied(world, desired, { mode: 'destroy' });
  expect(world.store.state.resources.size).toBe(0);
  expect(await readSettings(world)).toEqual({ locale: 'de-DE', quotaLow: false, ...others });
});

test('what somebody changes outside is set again, and a preference of theirs is left alone', async () => {
  const world = await World.open();
  const desired = await configure(settings);
  await world.apply(desired);
  const theirs = { operationFailed: false, operationSucceeded: true, quotaLow: true };
  await world.time.run(
    world
      .connect()
      .send({ kind: 'updateNotificationPreferences', account: 'account', preferences: theirs }),
  );
  const { plan } = await world.plan(desired);
  const change = plan.changes.find(({ address }) => address === 'account');
  expect(change).toMatchObject({ action: 'update', drift: { notifications: { quotaLow: false } } });
  await expectApplied(world, desired);
  expect(await readSettings(world)).toEqual({ locale: 'de-DE', ...theirs, quotaLow: false });
});

test('preferences changed between the plan and its apply are not turned back', async () => {
  const world = await World.open();
  const desired = await configure(settings);
  const theirs = { operationFailed: false, operationSucceeded: true, quotaLow: true };
  let isFirst = true;
  await expectApplied(world, desired, {
    meddle: async (request, pass) => {
      if (request.url.endsWith('/account/locale') && isFirst) {
        isFirst = false;
        await world.sandbox.fetch(
          new Request('http://sandbox/v1/notifications/preferences', {
            method: 'PUT',
            headers: {
              authorization: `Bearer ${world.sandbox.token}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify(theirs),
          }),
        );
      }
      return pass();
    },
  });
  expect(await readSettings(world)).toEqual({ locale: 'de-DE', ...theirs, quotaLow: false });
});

test('reading the account costs two requests, and none where it is not configured', async () => {
  const world = await World.open();
  const count = async (yaml: string) => {
    const before = world.requests;
    await world.plan(await configure(yaml));
    return world.requests - before;
  };
  const bare = await count('projects: { demo: }');
  expect((await count(settings)) - bare).toBe(2);
  await world.apply(await configure(settings));
  expect(await count('projects: { demo: }')).toBe((await count(settings)) - 2);
});

test.each(drawVariants('the account'))(
  'killed at any point and run again, the settings are as configured (%s)',
  async (variant) => {
    const desired = await configure(settings);
    const goOn = async (world: World) => {
      const failures = describeFailures(await world.apply(desired));
      expect(await readSettings(world)).toEqual({ locale: 'de-DE', quotaLow: false, ...others });
      expect(await nextActions(world, settings)).toEqual([]);
      return failures;
    };
    const open = () => World.open({ variant });
    expect(await killEverywhere({ open, desired, goOn })).toBeGreaterThan(5);
  },
);
