import { describe, expect, it } from 'vitest';
import type { ProjectConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  lifecycleOf,
  lose,
  patchDesired,
  patchManaged,
  reconfigure,
  type World,
} from '../../support/world.ts';

const web = 'projects.shop.vms.web';
const shop = (vms: ProjectConfig['vms']) => ({ shop: { vms: vms ?? {} } });
const applied = afterApply(shop({ web: {} }));

/** The block asks for protection. */
const protect = (world: World): World =>
  patchDesired(world, web, {
    lifecycle: {
      ...lifecycleOf({ preventDestroy: true }),
      protectedAt: { file: 'main.yaml', line: 12, column: 27, endLine: 12, endColumn: 31 },
    },
  });

/** The block asked for it when it was last applied. */
const remember = (world: World): World => patchManaged(world, web, { isProtected: true });

describe('what is protected', () => {
  const { line, column } = applied.desired.resources.find(({ address }) => address === web)!.source;
  const at = `at ${line}:${column}`;
  const replaced = `error prevent-destroy ${at} shop.vms.web: projects.shop.vms.web is protected, and this plan would replace it`;
  const destroyed =
    'error prevent-destroy shop.vms.web: projects.shop.vms.web is protected, and this plan would destroy it';

  const other = reconfigure(applied, shop({ web: { tariff: 'yearly' } }));
  const blockGone = remember(reconfigure(applied, shop({})));
  it.each<[string, World, string?]>([
    ['may stay', protect(applied)],
    ['may be changed', protect(reconfigure(applied, shop({ web: { name: 'w' } })))],
    [
      'may not be rebuilt: its disk would be lost',
      protect(reconfigure(applied, shop({ web: { image: 'debian-12' } }))),
      replaced.replace('replace it', 'rebuild it'),
    ],
    ['may be made again', protect(lose(applied, web))],
    ['may not be replaced', protect(other), replaced],
    ['may not be destroyed, though its block is gone', blockGone, destroyed],
    ['may not go with everything, though its block is gone', destroyAll(blockGone), destroyed],
    [
      'may not go with everything, though it was never applied so',
      destroyAll(protect(applied)),
      destroyed.replace('destroy shop', `destroy ${at} shop`),
    ],
    ['may go with everything once its block took it back', destroyAll(remember(applied))],
    ['may go once its block took it back', remember(other)],
    ['was never protected', destroyAll(applied)],
  ])('%s', (_what, world, line) => {
    const found = findingsOf(world, 'prevent-destroy').map(findingLine);
    expect(found).toEqual(line === undefined ? [] : [line]);
  });

  it('says why, and what to do', () => {
    const [field] = findingsOf(protect(other), 'prevent');
    expect(field).toMatchObject({
      detail:
        'Replaced because of: tariff. Its lifecycle has preventDestroy: true (main.yaml:12:27).',
      hint: 'Take the change back, or set preventDestroy: false in its block, which takes effect in the same plan.',
    });
    const [block] = findingsOf(blockGone, 'prevent');
    expect(block).toMatchObject({
      detail: 'It is no longer configured, and had preventDestroy: true when it was last applied.',
      hint: `Put its block back. To destroy it all the same, name ${web} in an entry of removed; with destroy: false it stays in the account, unmanaged.`,
    });
  });

  it.each<[string, World, string]>([
    ['that its block may go back', blockGone, 'Put its block back'],
    ['what to do about a destroy', destroyAll(protect(applied)), `--exclude '${web}'`],
    ['how to let go of what is no longer configured', destroyAll(blockGone), `state rm '${web}'`],
    ['that the change may be taken back', protect(other), 'Take the change back'],
  ])('hints %s', (_what, world, hint) => {
    expect(findingsOf(world, 'prevent-destroy')[0]?.hint).toContain(hint);
  });
});

describe('protection that is lifted', () => {
  it.each<[string, World, string[]]>([
    [
      'is told where nothing else happens',
      remember(applied),
      [`note protection-lifted at 3:5 shop.vms.web: The protection of ${web} is lifted`],
    ],
    [
      'is told where its data is lost by the same plan',
      remember(reconfigure(applied, shop({ web: { image: 'debian-12' } }))),
      [`warning protection-lifted at 3:5 shop.vms.web: The protection of ${web} is lifted`],
    ],
    ['is no matter where there was none', applied, []],
    ['is no matter where it holds', remember(protect(applied)), []],
  ])('%s', (_what, world, lines) => {
    const found = findingsOf(world, 'protection-lifted').map(findingLine);
    expect(found.map((line) => line.replace(/ at \d+:\d+ /, ' at 3:5 '))).toEqual(lines);
  });

  it('is told once of several', () => {
    const config = { shop: { vms: { a: {}, b: {}, c: {} } } };
    const world = afterApply(config);
    const resources = new Map(
      [...world.state.resources].map(([address, one]) => [address, { ...one, isProtected: true }]),
    );
    const found = findingsOf(
      { ...world, state: { ...world.state, resources } },
      'protection-lifted',
    );
    expect(found).toMatchObject([
      {
        summary: 'The protection of 4 resources is lifted',
        detail: expect.stringContaining('projects.shop, projects.shop.vms.a') as string,
      },
    ]);
  });
});
