import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/model/plan/plan.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import { makeChange, makePlan, plain } from '../sample-plan.ts';
import { readRows } from '../../../support/read-rows.ts';

/** The block of the first change, from its headline to its brace. */
function drawFirst(changes: readonly Change[], given: Parameters<typeof makePlan>[1] = {}): string {
  const text = renderPlanText(makePlan(changes, given), plain);
  return text.slice(text.indexOf('  # '), text.indexOf('\n\n', text.indexOf('  # ')));
}

const web = { name: 'web' };

test('a change without attributes', () => {
  const change = makeChange({ action: 'update', id: null, before: {}, after: {} });
  expect(drawFirst([change])).toMatchInlineSnapshot(`
    "  # projects.shop.vms.web will be updated in-place
      ~ vm "web" {}"
  `);
});

describe('why it happens', () => {
  const created = { action: 'create', after: web } as const;
  const deleted = { action: 'delete', before: web, reason: 'not-configured' } as const;
  const at = (address: string, given: Partial<Change> & Pick<Change, 'action'>) =>
    makeChange({ ...given, address });
  const kept = (address: string) => at(address, { action: 'no-op', before: web, after: web });
  const forward = 'projects.shop.publicIps.edge.forwards.https';

  const parent = { ...created, reason: 'parent-replaced' } as const;
  const other = { ...created, reason: 'parent-changed' } as const;
  test.each<[string, Change]>([
    ['deleted outside of Hostwright', makeChange({ ...created, reason: 'deleted-outside' })],
    [
      'its creation failed',
      makeChange({ ...created, action: 'replace', before: web, reason: 'creation-failed' }),
    ],
    ['it is already being deleted', makeChange({ ...created, reason: 'being-deleted' })],
    ['because projects.shop.publicIps.edge is replaced', at(forward, parent)],
    // Of an unknown address.
    ['because projects.shop is replaced', at('elsewhere', parent)],
    [
      'because a VM cannot move to another project',
      makeChange({ ...other, action: 'replace', before: web }),
    ],
    [
      'because a port forward cannot move to another public IP',
      at(forward, { ...other, kind: 'portForward' }),
    ],
    ['because projects.shop.vms.web is not in configuration', makeChange(deleted)],
  ])('(%s)', (reason, change) =>
    expect(drawFirst([change]).split('\n')[1]).toBe(`  # (${reason})`),
  );

  test.each(
    readRows(`
    web[1] | web[0] | because index [1] is out of range for count
    web["b"] | web["a"] | because key ["b"] is not in forEach map
    web[0] | web | because resource does not use count
    web["a"] | web | because resource does not use forEach
    web | web[0] | because resource uses count or forEach
    web["a"] | web[0] | because resource does not use forEach
    web[0] | web["a"] | because resource does not use count
  `),
  )('%s goes and %s stays: (%s)', (gone, stays, reason) => {
    const changes = [at(`projects.shop.vms.${gone}`, deleted), kept(`projects.shop.vms.${stays}`)];
    expect(drawFirst(changes).split('\n')[1]).toBe(`  # (${reason})`);
  });

  test.each([
    ['projects.shop.vms.web', 'null', '(because enabled is false)'],
    ['projects.shop.vms.web[0]', 'list', '(because index [0] is out of range for count)'],
    ['projects.shop.vms.web["a"]', 'map', '(because key ["a"] is not in forEach map)'],
    ['projects.shop.vms.web[0]', 'map', '(because resource does not use count)'],
    ['projects.shop.vms.web', 'list', '(because resource uses count or forEach)'],
  ] as const)('%s, where the block has no resource (it reads as %s)', (address, reads, reason) => {
    const emptyGroups = [{ address: 'projects.shop.vms.web', reads }];
    const text = drawFirst([at(address, deleted)], { emptyGroups });
    expect(text.split('\n')[1]).toBe(`  # ${reason}`);
  });

  test('a plan to destroy gives no reason for what it was asked for', () => {
    const text = drawFirst([makeChange(deleted)], { mode: 'destroy' });
    expect(text.split('\n').slice(0, 2)).toEqual([
      '  # projects.shop.vms.web will be destroyed',
      '  - vm "web" {',
    ]);
  });

  test('hints of the caller', () => {
    const addressHints = new Map([['projects.shop.vms.web', ['(adopted by name)']]]);
    const text = renderPlanText(makePlan([makeChange(created)]), { ...plain, addressHints });
    expect(text).toContain('will be created\n  # (adopted by name)\n  + vm "web" {');
  });
});

test('a headline that does not fit goes on in a second line', () => {
  const address = `projects.shop.vms.${'w'.repeat(50)}`;
  const text = drawFirst([makeChange({ action: 'create', after: web, address })]);
  expect(text.split('\n').slice(0, 2)).toEqual([`  # ${address}`, '  #   will be created']);
});

test('a long loss goes on in a second comment line', () => {
  const losses = ['The disk is lost. '.repeat(6).trim()];
  const text = drawFirst([makeChange({ action: 'delete', before: web, losses })]);
  expect(text.split('\n').slice(1, 3)).toEqual([
    '  # Warning: The disk is lost. The disk is lost. The disk is lost. The disk is',
    '  # lost. The disk is lost. The disk is lost.',
  ]);
});

test('colours', () => {
  const change = makeChange({
    action: 'rebuild',
    before: { image: 'a', tariff: 'x' },
    after: { image: 'b', tariff: 'x' },
    fields: [{ name: 'image', effect: 'rebuild' }],
    losses: ['The disk is lost.'],
  });
  const text = renderPlanText(makePlan([change]), { columns: 80, style: createAnsiStyle(true) });
  expect(text.replaceAll('\u001b', '^')).toMatchInlineSnapshot(`
    "^[1m^[31m! This plan loses 1 VM. There is no undo.^[39m^[22m
    ^[1m^[31m! 1 to rebuild (1 disk lost)^[39m^[22m

    Hostwright used the configuration and the live account to generate the following
    execution plan. Resource actions are indicated with the following symbols:
     ^[31m!~^[39m rebuild (same VM and id, its disk is lost)

    Hostwright will perform the following actions:

    ^[1m  # projects.shop.vms.web^[22m will be ^[1m^[31mrebuilt^[39m^[22m (its disk is lost)
      # ^[31mWarning: The disk is lost.^[39m
     ^[31m!~^[39m vm "web" {
            id     = "vm-1"
          ^[33m~^[39m image  = "a" ^[33m->^[39m "b" ^[31m# forces rebuild^[39m
            ^[90m# (1 unchanged attribute hidden)^[39m
        }

    ^[1mSummary:^[22m
      ^[90m^[39m                ^[90mrebuild^[39m
      projects.shop         ^[31m1^[39m   ^[90m1 VM^[39m

    ^[1mPlan:^[22m 0 to add, 0 to change, 1 to rebuild (1 disk lost), 0 to destroy.
    "
  `);
});
