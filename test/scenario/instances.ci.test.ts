// Instances of a module that change one after the other: what is sent when, what stops it, and how the next apply goes on.
import { describe, expect, it } from 'vitest';
import { makeVmPowerCommand } from '../../src/kinds/vm/requests.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, World, type Meddle, type RunOptions } from './world.ts';

const keys = ['dev', 'staging', 'prod'];

const module = (check = '') => `
variables: { image: {}, key: {} }
projects:
  p:
    name: p-\${var.key}
    networks: { lan: {} }
    vms:
      web: { configuration: c1-r1-d20, tariff: monthly, image: "\${var.image}", networks: [lan] }
${check}
outputs: { image: { value: "\${projects.p.vms.web.image}" } }
`;

interface Setting {
  readonly image?: string;
  readonly between?: string;
  readonly checks?: string;
  readonly own?: string;
  readonly order?: readonly string[];
}

const graphOf = ({
  image = 'debian-12',
  between = 'checks: true, wait: 10m',
  checks = '',
  own = '',
  order = keys,
}: Setting) =>
  configure(
    `
modules:
  env:
    source: ./module
    forEach: [${order.toSorted().join(', ')}]
    variables: { image: ${image}, key: "\${each.key}" }
    rollout: { order: [${order.join(', ')}], between: { ${between} } }
${checks}`,
    module(own),
  );

const keyOf = (address: string) => /^modules\.env\["(\w+)"\]/.exec(address)?.[1] ?? address;

/** Applies, and tells which instances were changed from when to when, in minutes, and what was waited for. */
async function apply(world: World, setting: Setting, options: RunOptions = {}) {
  const since = world.time.now();
  const spans = new Map<string, [number, number]>();
  const waits: string[] = [];
  const end = await world.apply(await graphOf(setting), {
    ...options,
    onEvent: (event) => {
      options.onEvent?.(event);
      const key = keyOf(event.address);
      const minute = Math.floor((event.at - since) / 60_000);
      if (event.step === 'wait') {
        if (event.kind === 'completed') waits.push(key);
        return;
      }
      spans.set(key, [spans.get(key)?.[0] ?? minute, minute]);
    },
  });
  if (end.kind !== 'ended') throw new Error(end.kind);
  const results = end.summary.changes.map(({ address, result }) => {
    const cause = 'diagnostic' in result ? ` ${result.diagnostic.code}` : '';
    return `${keyOf(address)} ${result.kind}${cause}`;
  });
  return { order: [...spans.keys()], spans, waits, results: [...new Set(results)], ...end };
}

const check = (assert: string) =>
  `checks: { sound: { severity: deny, assert: '${assert}', message: It is not sound. } }`;

describe('instances in an order', () => {
  it('go one after the other, with a wait between them; a destroy goes in reverse', async () => {
    const world = await World.open();
    const made = await apply(world, {});
    expect(made.order).toEqual(keys);
    expect(made.waits).toEqual(['staging', 'prod']);
    const [, dev] = made.spans.get('dev')!;
    expect(made.spans.get('staging')![0]).toBeGreaterThanOrEqual(dev + 10);
    expect(made.results.every((one) => one.endsWith('applied'))).toBe(true);

    // What has no change is passed over, and nothing is waited for before the first that has one.
    const grown = await apply(world, { order: ['dev', 'qa', 'staging', 'prod'] });
    expect([grown.order, grown.waits]).toEqual([['qa'], []]);
    const gone = await apply(
      world,
      { order: ['staging', 'dev', 'qa', 'prod'] },
      { mode: 'destroy' },
    );
    expect(gone.order).toEqual(['prod', 'qa', 'dev', 'staging']);
    expect(gone.waits).toEqual(['qa', 'dev', 'staging']);
    expect(await world.readAccount()).toEqual([]);
    world.sandbox.close();
  });

  it('sends nothing during the wait', async () => {
    const world = await World.open();
    await apply(world, {});
    let waiting = false;
    const sent: string[] = [];
    const meddle: Meddle = (request, pass) => {
      if (waiting) sent.push(request.url);
      return pass();
    };
    await apply(
      world,
      { image: 'debian-13' },
      {
        meddle,
        onEvent: (event) => {
          if (event.step === 'wait') waiting = event.kind === 'progress';
        },
      },
    );
    expect(sent).toEqual([]);
    world.sandbox.close();
  });

  it('stops at a check that does not hold, also in the next apply, and goes on once it does', async () => {
    const world = await World.open();
    const checks = check('modules.env["dev"].outputs.image == "debian-12"');
    await apply(world, { checks });
    const changed = { image: 'debian-13', checks };
    const held = await apply(world, changed);
    expect(held.order).toEqual(['dev']);
    expect(held.results).toEqual([
      'dev applied',
      'prod skipped',
      'staging skipped',
      'staging failed rollout-held',
    ]);
    const again = await apply(world, changed);
    expect([again.order, again.waits]).toEqual([[], []]);
    const on = await apply(world, {
      ...changed,
      checks: check('modules.env["dev"].outputs.image == "debian-13"'),
    });
    expect([on.order, on.waits]).toEqual([
      ['staging', 'prod'],
      ['staging', 'prod'],
    ]);
    world.sandbox.close();
  });

  it('sees what happens in the account during the wait', async () => {
    const world = await World.open();
    const own = check('projects.p.vms.web.power == "running"');
    await apply(world, { own });
    const held = await apply(
      world,
      { own, image: 'debian-13' },
      {
        onEvent: (event) => {
          if (event.kind !== 'progress' || event.step !== 'wait') return;
          const { id, projectId } = world.store.state.resources.get(
            'modules.env["dev"].projects.p.vms.web',
          )!;
          void world.connect().send(makeVmPowerCommand('stop', { projectId, vmId: id }));
        },
      },
    );
    expect(held.order).toEqual(['dev']);
    expect(held.results.at(-1)).toBe('staging failed rollout-held');
    world.sandbox.close();
  });

  it("leaves the checks of what is yet to change to their instances' turn", async () => {
    const world = await World.open();
    const own = check('projects.p.vms.web.image == var.image');
    await apply(world, { own });
    const { results, waits } = await apply(world, { own, image: 'debian-13' });
    expect(results).toEqual(keys.toSorted().map((key) => `${key} applied`));
    expect(waits).toEqual(['staging', 'prod']);
    world.sandbox.close();
  });

  it.each([
    ['a failure', 400],
    ['a token that has expired', 401],
  ])('leaves the later ones untouched after %s', async (_, status) => {
    const world = await World.open();
    await apply(world, {});
    let isBad = false;
    const refuse: Meddle = async (request, pass) =>
      isBad && (status === 401 || request.method === 'POST')
        ? Response.json({ code: 'no', message: 'No.' }, { status })
        : pass();
    const changed = { image: 'debian-13' };
    const end = await apply(world, changed, {
      meddle: refuse,
      onEvent: ({ kind, address, step }) => {
        if (step === 'wait' && kind === 'progress' && keyOf(address) === 'staging') isBad = true;
      },
    });
    expect(end.order.slice(0, 1)).toEqual(['dev']);
    expect(end.results).not.toContain('prod applied');
    expect(end.results).not.toContain('staging applied');
    const next = await apply(world, changed);
    expect([next.order, next.waits]).toEqual([['staging', 'prod'], ['prod']]);
    world.sandbox.close();
  });

  it('keeps the order of what a target selects', async () => {
    const world = await World.open();
    await apply(world, {});
    const targets = ['modules.env["prod"]', 'modules.env["staging"]'];
    const planOptions = { selection: { targets, excludes: [] } };
    const some = await apply(world, { image: 'debian-13' }, { planOptions });
    expect([some.order, some.waits]).toEqual([['staging', 'prod'], ['prod']]);
    world.sandbox.close();
  });

  it('ends a wait at an interrupt', async () => {
    const world = await World.open();
    const stop = new AbortController();
    const end = await apply(
      world,
      {},
      {
        interrupted: stop.signal,
        onEvent: ({ kind, step }) => {
          if (step === 'wait' && kind === 'progress') stop.abort();
        },
      },
    );
    expect(end.results).toEqual(['dev applied', 'prod interrupted', 'staging interrupted']);
    world.sandbox.close();
  });
});

it('goes on in the same order after a kill at any point', async () => {
  const desired = await graphOf({ image: 'debian-13' });
  const before = await graphOf({});
  const steps = await killEverywhere({
    desired,
    open: async () => {
      const world = await World.open();
      await world.apply(before);
      return world;
    },
    goOn: async (world) => {
      const order: string[] = [];
      let plan: Plan | undefined;
      const end = await world.apply(desired, {
        onPlanned: (planned) => {
          ({ plan } = planned);
        },
        onEvent: ({ kind, address, step }) => {
          if (kind === 'started' && step !== 'wait') order.push(keyOf(address));
        },
      });
      if (end.kind !== 'ended' || !plan) return [end.kind];
      const seen = [...new Set(order)];
      const changing = keys.filter((key) => seen.includes(key));
      const isLeft = end.summary.changes.some(({ result }) => result.kind !== 'applied');
      return isLeft || changing.join() !== seen.join() ? [seen.join()] : [];
    },
  });
  expect(steps).toBeGreaterThan(20);
});
