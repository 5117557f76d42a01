import { describe, expect, test } from 'vitest';
import type { Change, Plan } from '../../../../src/model/plan/plan.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderSavedPlanNote } from '../../../../src/render/text/saved-note.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import { makeChange, makeFinding, makePlan, plain } from '../sample-plan.ts';

const render = (changes: readonly Change[], given: Partial<Plan> = {}, columns = 80) =>
  renderPlanText(makePlan(changes, given), { ...plain, columns });

/** What stands below the last change. */
const renderEnd = (changes: readonly Change[], given: Partial<Plan> = {}, columns = 80) => {
  const text = render(changes, given, columns);
  const brace = text.lastIndexOf('{}\n\n');
  return brace < 0 ? text : text.slice(brace + 4);
};
const empty = { id: null, before: {}, after: {} } as const;
const makeEmpty = (address: string, action: Change['action']) =>
  makeChange({ address, action, ...empty, ...(action === 'delete' && { after: null }) });
const web = 'projects.shop.vms.web';

describe('the plan around its changes', () => {
  test.each([1, 2])('%i changes of an earlier run are all there is', (count) => {
    const underway = { command: 'rebuildVm', since: 0 } as const;
    const changes = Array.from({ length: count }, (_, at) =>
      makeChange({ address: `${web}${at}`, action: 'no-op', underway }),
    );
    expect(render(changes)).toContain(
      `No changes. ${count === 1 ? '1 change of an earlier run is' : '2 changes of an earlier run are'} still`,
    );
  });

  test('what does nothing is neither drawn nor counted', () => {
    const actions = ['rebuild', 'replace', 'delete', 'update', 'no-op'] as const;
    const changes = actions.map((action, index) => makeEmpty(`${web}[${index}]`, action));
    const created = makeChange({ address: `${web}[9]`, action: 'create', after: {} });
    const text = render([...changes, created]);
    expect(text).not.toContain(`${web}[4]`);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'Plan: 2 to add, 1 to change, 1 to rebuild, 2 to destroy.',
    );
  });

  test.each<[string, Partial<Plan>, string]>([
    ['nothing to do', {}, 'No changes. Your infrastructure matches the configuration.'],
    ['nothing to destroy', { mode: 'destroy' }, 'No changes. No objects need to be destroyed.'],
    [
      'nothing to refresh',
      { mode: 'refresh' },
      'No changes. Your infrastructure still matches the configuration.',
    ],
  ])('%s', (_, given, headline) => {
    const unchanged = makeChange({ action: 'no-op', before: {}, after: {} });
    expect(render([unchanged], given).split('\n')[0]).toBe(headline);
  });

  test('nothing to do, explained', () =>
    expect(render([], { mode: 'destroy' })).toMatchInlineSnapshot(`
      "No changes. No objects need to be destroyed.

      Either you have not created any objects yet or the existing objects were already
      deleted outside of Hostwright.
      "
    `));

  test('an error forbids to apply', () => {
    const findings = [makeFinding({ severity: 'warning', code: 'w', summary: 'W' }), makeFinding()];
    expect(renderEnd([makeEmpty(web, 'update')], { findings })).toMatchInlineSnapshot(`
      "╷
      │ Error: Too many cores [quota-exceeded]
      ╵
      ╷
      │ Warning: W [w]
      ╵

      Summary:
                        change
        projects.shop        1   1 VM

      Plan: 0 to add, 1 to change, 0 to destroy.
      This plan cannot be applied: it has 1 error. Fix the errors above, then plan
      again.
      "
    `);
  });

  test('an error without any change says nothing of no changes', () =>
    expect(render([], { findings: [makeFinding()] })).not.toContain('No changes'));
});

describe('quotas', () => {
  const quotas = [
    { name: 'projects', limit: 10, used: 2, after: 2, peak: 2, unordered: 2, ours: 2 },
    { name: 'networks', limit: 10, used: 4, after: 2, peak: 2, unordered: 2, ours: 4 },
    { name: 'publicIps', limit: 4, used: 5, after: 5, peak: 5, unordered: 5, ours: 0 },
    { name: 'vmCpu', limit: 32, used: 20, after: 28, peak: 28, unordered: 28, ours: 0 },
    { name: 'vmDisk', limit: 500, used: 440, after: 520, peak: 520, unordered: 520, ours: 0 },
    { name: 'vmRam', limit: 0, used: 0, after: 1, peak: 1, unordered: 1, ours: 0 },
  ] as const;

  test('without gauges where there is no room', () =>
    expect(renderEnd([makeEmpty(web, 'update')], { quotas }, 60)).not.toContain('█'));

  test('by colour: green has room, yellow is nearly full, red is over', () => {
    const layout = { columns: 60, style: createAnsiStyle(true) };
    const text = renderPlanText(makePlan([], { quotas }), layout);
    expect(text).toContain('\u001b[32m2\u001b[39m');
    expect(text).toContain('\u001b[33m28\u001b[39m');
    expect(text).toContain('\u001b[31m520\u001b[39m');
  });
});

describe('the summary', () => {
  test('a single change has one, too', () =>
    expect(renderEnd([makeEmpty(web, 'update')])).toMatchInlineSnapshot(`
      "Summary:
                        change
        projects.shop        1   1 VM

      Plan: 0 to add, 1 to change, 0 to destroy.
      "
    `));

  test('several projects', () => {
    const changes = [
      makeEmpty('projects.blog', 'update'),
      makeEmpty('projects.blog.sshKeys.alice', 'replace'),
      makeEmpty('projects.blog.networks.a', 'delete'),
      makeEmpty('projects.blog.publicIps.a', 'delete'),
      makeEmpty('projects.blog.publicIps.a.forwards.https', 'delete'),
      makeEmpty('projects.blog.vms.web[0]', 'update'),
      makeEmpty('projects.blog.vms.web[1]', 'update'),
      makeEmpty(web, 'update'),
    ];
    expect(renderEnd(changes)).toMatchInlineSnapshot(`
      "Summary:
                        add   change   destroy
        projects.blog     1        3         4   1 project, 1 SSH key, 1 network,
                                                 1 public IP, 2 VMs, 1 port forward
        projects.shop     0        1         0   1 VM
        total             1        4         4   1 project, 1 SSH key, 1 network,
                                                 1 public IP, 3 VMs, 1 port forward

      Plan: 1 to add, 4 to change, 4 to destroy.
      "
    `);
  });

  test('many projects fit on a screen', () => {
    const changes = Array.from({ length: 30 }, (_, index) =>
      makeEmpty(`projects.p${index}`, 'update'),
    );
    const lines = renderEnd(changes).split('\n');
    expect(lines.slice(12, 15).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      ' projects.p10 1 1 project',
      ' 19 more projects 19 19 projects',
      ' total 30 30 projects',
    ]);
  });

  test('a long name is cut', () => {
    const changes = [makeEmpty(`projects.${'p'.repeat(80)}`, 'update'), makeEmpty(web, 'update')];
    const [, , row = '', kinds] = renderEnd(changes).split('\n');
    expect(row).toBe(`  projects.${'p'.repeat(30)}…${'p'.repeat(26)}        1`);
    expect(kinds).toBe('    1 project');
  });
});

describe('the note below', () => {
  test('a plan that was saved', () =>
    expect(renderSavedPlanNote({ file: 'my plan', flags: [], unset: [] }, plain))
      .toMatchInlineSnapshot(`
      "
      ────────────────────────────────────────────────────────────────────────────────

      Saved the plan to: my plan

      To perform exactly these actions, run the following command to apply:
          hostwright apply "my plan"
      "
    `));

  test('a plan that has to be given sensitive values again', () => {
    const saved = { file: 'p.hwp', flags: ['hosting', '--adopt'], unset: ['password', 'pin'] };
    const lines = renderSavedPlanNote(saved, { ...plain, columns: Infinity }).split('\n');
    expect(lines.slice(5, 7)).toEqual([
      'The plan holds no sensitive values. To perform exactly these actions, set HOSTWRIGHT_VAR_password, HOSTWRIGHT_VAR_pin in the environment and run the following command to apply:',
      '    hostwright apply "p.hwp" hosting --adopt',
    ]);
  });

  test('a plan that was not', () =>
    expect(renderSavedPlanNote(undefined, { ...plain, columns: Infinity })).toMatchInlineSnapshot(`
      "
      ──────────────────────────────────────────────────────────────────────────────

      Note: You didn't use the --out option to save this plan, so Hostwright can't guarantee to take exactly these actions if you run "hostwright apply" now.
      "
    `));
});
