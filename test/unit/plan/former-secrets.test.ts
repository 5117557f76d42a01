import { describe, expect, it } from 'vitest';
import { listSensitiveAfterChange, type Change } from '../../../src/model/plan/plan.ts';
import { renderPlanJson } from '../../../src/render/json/json.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import { findingsOf } from '../../support/findings.ts';
import { planOf } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  forget,
  patchDesired,
  patchManaged,
  reconfigure,
  touch,
  type World,
} from '../../support/world.ts';

const lan = 'projects.p.networks.lan';
const configOf = (name?: string) => ({
  p: { networks: name === undefined ? {} : { lan: { name } } },
});

/** A network whose name was sensitive when it was last applied. */
const applied = patchManaged(afterApply(configOf('hush')), lan, { sensitive: ['name'] });

const changeOf = (world: World): Change =>
  planOf(world).changes.find(({ address }) => address === lan)!;

describe('what was sensitive when it was last applied', () => {
  const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const removed = [{ from: lan, destroy: false, source }];
  const gone = reconfigure(applied, configOf());

  it.each<[string, World]>([
    ['when its block is gone', gone],
    ['when it is forgotten', { ...gone, desired: { ...gone.desired, removed } }],
    ['when it is destroyed with everything', destroyAll(gone)],
    ['when it takes a value that may be shown', reconfigure(applied, configOf('plain'))],
    [
      'when it was changed outside, and nobody configures it any more',
      { ...touch(gone, lan, { name: 'hush!' }), mode: 'refresh' },
    ],
  ])('is not shown %s', (_what, world) => {
    const plan = planOf(world);
    const meta = { version: '0', plannedAt: 0, fingerprints: {} };
    const texts = [
      renderPlanText(plan, { columns: 80, style: createAnsiStyle(false) }),
      JSON.stringify(renderPlanJson(plan, meta)),
    ];
    expect(texts.join('')).not.toContain('hush');
    expect(texts[0]).toContain('"lan"');
  });

  it('is sensitive no more once it was applied otherwise', () => {
    const change = changeOf(reconfigure(applied, configOf('plain')));
    expect(change).toMatchObject({ sensitive: ['name'], noLongerSensitive: ['name'] });
    expect(listSensitiveAfterChange(change)).toEqual([]);
  });

  it('stays sensitive where its configuration is', () => {
    const change = changeOf(patchDesired(applied, lan, { sensitive: ['name'] }));
    expect(change.noLongerSensitive).toBeUndefined();
    expect(listSensitiveAfterChange(change)).toEqual(['name']);
  });
});

it('marks a field that reads what is sensitive of another resource', () => {
  const web = 'projects.p.vms.web';
  const both = { p: { ...configOf('hush').p, vms: { web: {} } } };
  const secret = patchDesired(reconfigure(applied, both), lan, { sensitive: ['name'] });
  const name = `${lan}.name`;
  const read = planOf(defer(secret, web, 'name', expressionOf(name, [name]))).changes;
  expect(read.find(({ address }) => address === web)?.sensitive).toEqual(['name']);
});

it('quotes no sensitive name, though another one has it', () => {
  const taken = patchDesired(forget(applied, lan), lan, { sensitive: ['name'] });
  const [finding] = findingsOf(taken, 'name-taken');
  expect(finding?.summary).toMatch(/^Another network named ".+" exists already/);
  expect(finding?.summary).not.toContain('hush');
});
