import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import {
  renderFailureMarkdown,
  renderPlanMarkdown,
  renderStateMarkdown,
} from '../../../../src/render/markdown/markdown.ts';
import { makeChange, makeFinding, makePlan } from '../sample-plan.ts';

/** The lines outside of every fence, as CommonMark has it: what a viewer interprets. */
function outsideOfFences(text: string): string[] {
  let open: string | undefined;
  return text.split('\n').filter((line) => {
    const [, marks, info = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined && marks !== undefined && !info.includes('`')) {
      open = marks;
      return false;
    }
    if (open === undefined) return true;
    if (marks !== undefined && marks.length >= open.length && info.trim() === '') open = undefined;
    return false;
  });
}

const nasty = '`````` </details> | <!-- --> @everyone **x** ```diff';
const create = (address: string, after: Record<string, string> = {}) =>
  makeChange({ address, action: 'create', after: { name: 'web', ...after } });
const many = (count: number, projects = 1) =>
  makePlan(
    Array.from({ length: count }, (_, index) =>
      create(`projects.p${index % projects}.vms.web-${index}`),
    ),
  );

describe('a plan as a comment', () => {
  test('begins with a marker and the counts', () => {
    const text = renderPlanMarkdown(many(1), {
      identity: { name: 'my shop', directory: 'infra/my shop--> x' },
    });
    expect(text.split('\n').slice(0, 2)).toEqual([
      '<!-- hostwright-plan:infra/my%20shop%2D%2D%3E%20x -->',
      '## Hostwright plan for <code>my shop</code>: loses nothing<br><sub>1 to add</sub>',
    ]);
  });

  test.each([
    ['https://api.example.com/v1', 'on <code>api.example.com/v1</code>'],
    ['the embedded sandbox', 'on the embedded sandbox'],
    ['the **sandbox** <b>', 'on <code>the &#42;&#42;sandbox&#42;&#42; &#60;b&#62;</code>'],
  ])('an address is code, and words are none: %s', (account, shown) => {
    const identity = { name: 'shop', directory: '.', account };
    expect(renderPlanMarkdown(many(1), { identity }).split('\n')[1]).toContain(shown);
  });

  test.each<[string, Partial<Plan>, string]>([
    ['nothing to do', {}, '## Hostwright plan: no changes'],
    ['nothing to destroy', { mode: 'destroy' }, '## Hostwright destroy plan: no changes'],
    [
      'an error',
      { findings: [makeFinding()] },
      '## Hostwright plan: cannot be applied, it has 1 error',
    ],
  ])('the heading of %s', (_, given, heading) => {
    expect(renderPlanMarkdown(makePlan([], given)).split('\n')[1]).toBe(heading);
  });

  test('every symbol stands in column 0, and no text of somebody is taken for one', () => {
    const script = { before: { script: 'a\n  - b' }, after: { script: 'a\n  - b\n- c' } };
    const text = renderPlanMarkdown(
      makePlan([
        makeChange({ action: 'update', ...script, fields: [{ name: 'script', effect: 'update' }] }),
        makeChange({ address: 'projects.shop.vms.x', action: 'forget', before: {} }),
        makeChange({ address: 'projects.shop.vms.y', action: 'no-op', isImported: true }),
      ]),
    );
    expect(text.slice(text.indexOf('```diff'))).toMatchInlineSnapshot(`
      "\`\`\`diff
      # projects.shop.vms.x will no longer be managed by Hostwright, but will not be destroyed
      # (destroy: false is set in the configuration)
      .   vm "x" {
              id = "vm-1"
          }

      # projects.shop.vms.web will be updated in-place
      !   vm "web" {
              id     = "vm-1"
      !       script = <<-EOT
                  a
                    - b
      +           - c
              EOT
          }
      \`\`\`

      </details>

      <details><summary><code>projects.shop</code>: 1 to import</summary>

      \`\`\`diff
      # projects.shop.vms.y will be imported
      <=  vm "y" {}
      \`\`\`

      </details>

      Plan: 1 to import, 0 to add, 1 to change, 0 to destroy, 1 to forget.
      "
    `);
  });

  test('a plan that could not be made is the same comment with what stopped it', () => {
    const text = renderFailureMarkdown([makeFinding({ summary: 'unknown key' })], {
      name: 'hosting',
      directory: 'hosting',
    });
    expect(text).toMatch(
      /^<!-- hostwright-plan:hosting -->\n## Hostwright plan for <code>hosting<\/code>: could not be made\n\n```diff\n- Error: unknown key /,
    );
    const long = renderFailureMarkdown(Array.from({ length: 5_000 }, () => makeFinding()));
    expect(long.length).toBeLessThanOrEqual(65_536);
    expect(long).toContain('<!-- hostwright-plan:. -->');
    expect(long).toMatch(/\n\*\*\d+ more findings left out here\.\*\*\n$/);
  });

  test('of very many findings, what stops the plan is seen without a click', () => {
    const errors = [makeFinding({ code: 'quota-exceeded', summary: 'too much' })];
    const warnings = Array.from({ length: 40 }, (_, index) =>
      makeFinding({ severity: 'warning', code: 'policy-violated', summary: `web-${index}` }),
    );
    const text = renderPlanMarkdown(makePlan([], { findings: [...errors, ...warnings] }));
    const [, shown = '', folded = ''] = text.split(/```diff\n/);
    expect(shown).toContain('- Error: too much');
    expect(shown).toContain('<details><summary>40 warnings</summary>');
    expect(folded.match(/^! Warning/gm)).toHaveLength(40);
    const long = renderPlanMarkdown(
      makePlan([], {
        findings: warnings.map((one, index) => ({
          ...one,
          severity: index < 39 ? 'error' : 'note',
        })),
      }),
    );
    expect(long).toContain('<details open><summary>39 errors</summary>');
    expect(long).toMatch(/<summary>1 note<\/summary>\n\n```diff\n# Note: web-39 /);
  });

  test('what a finding has in common with the one before is said once', () => {
    const source = { file: 'main.yaml', line: 3, column: 5, endLine: 3, endColumn: 9 };
    const frame = '> 3 |   few: {}';
    const common = { code: 'policy-violated', detail: 'It does not hold.', hint: 'Ask.' };
    const make = (summary: string, more: Partial<Diagnostic> = {}) =>
      makeFinding({ ...common, source: { ...source, frame }, summary, ...more });
    const findings = [
      make('a'),
      make('b'),
      make('c', { detail: 'Neither.', source: { ...source, line: 4, frame } }),
      make('d', { code: 'other' }),
    ];
    const text = renderPlanMarkdown(makePlan([], { findings }));
    expect(text.slice(text.indexOf('```diff'))).toMatchInlineSnapshot(`
      "\`\`\`diff
      - Error: a [policy-violated]

            on main.yaml line 3, column 5:
              > 3 |   few: {}

          It does not hold.

          Hint: Ask.

      - Error: b [policy-violated]

            on main.yaml line 3, column 5

      - Error: c [policy-violated]

            on main.yaml line 4, column 5:
              > 3 |   few: {}

          Neither.

      - Error: d [other]

            on main.yaml line 3, column 5:
              > 3 |   few: {}

          It does not hold.

          Hint: Ask.
      \`\`\`
      "
    `);
  });

  test('text of users breaks out of nothing', () => {
    const address = `projects.shop[${JSON.stringify(nasty)}]`;
    const changes = [
      create(address, { script: `${nasty}\n\`\`\`\`\`\`\`\n</details>`, note: nasty }),
      create('projects.other', { name: nasty }),
    ];
    const finding = makeFinding({
      summary: nasty,
      detail: `${nasty}\n\`\`\`\n</details>`,
      address,
    });
    const text = renderPlanMarkdown(makePlan(changes, { findings: [finding], gone: [address] }));
    const outside = outsideOfFences(text).join('\n');
    expect(outside).not.toMatch(/@everyone|<!-- --|-->.|\*\*x/);
    expect(outside.match(/<\/details>/g)).toHaveLength(2);
    expect(text).toContain('@everyone');
    // One row for each project: no pipe of theirs made another column.
    const rows = outside.split('\n').filter((line) => line.startsWith('| <code>'));
    expect(rows.map((row) => row.split('|').length)).toEqual([5, 5]);
  });

  test('quotas, with their peak where it is higher than before and after', () => {
    const quota = {
      name: 'networks',
      limit: 10,
      used: 4,
      after: 5,
      unordered: 9,
      ours: 4,
    } as const;
    const draw = (peak: number) =>
      renderPlanMarkdown(makePlan([create('projects.shop')], { quotas: [{ ...quota, peak }] }));
    expect(draw(5)).toContain('| quota | now | after | limit |\n| --- | ---: | ---: | ---: |\n');
    expect(draw(5)).toContain('| networks | 4 | 5 | 10 |');
    expect(draw(11)).toContain('| quota | now | peak | after | limit |\n| --- | ---: | ---: |');
    expect(draw(11)).toContain('| networks | 4 | **11** | 5 | 10 |');
  });

  test('long ones are folded by project, each with its counts', () => {
    const text = renderPlanMarkdown(many(40, 2));
    expect(text.match(/<details><summary>.*/g)).toEqual([
      '<details><summary><code>projects.p0</code>: 20 to add</summary>',
      '<details><summary><code>projects.p1</code>: 20 to add</summary>',
    ]);
    expect(text.match(/<\/details>/g)).toHaveLength(2);
  });

  test.each([
    ['many changes', many(5_000)],
    ['many projects', many(5_000, 2_000)],
    ['one huge change', makePlan([create('projects.shop', { script: 'x\n'.repeat(100_000) })])],
    ['many findings', { ...many(900), findings: Array.from({ length: 900 }, () => makeFinding()) }],
    [
      'many backticks',
      makePlan([create('projects.shop', { script: `${'`'.repeat(200)}\n`.repeat(2_000) })]),
    ],
  ])('%s: never longer than a comment may be, the counts whole', (_, plan) => {
    const text = renderPlanMarkdown(plan);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toContain(`<sub>${plan.changes.length} to add</sub>\n`);
    const [, omitted = ''] = /\*\*(\d+) of \d+ changes? left out here\*\*/.exec(text) ?? [];
    const shown = text.match(/^# .* will be created$/gm)?.length ?? 0;
    expect(Number(omitted)).toBe(plan.changes.length - shown);
    expect(Number(omitted)).toBeGreaterThan(0);
    expect(text.match(/<details[ >]/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    expect(outsideOfFences(text).join('\n')).toContain('left out here');
  });

  test.each([
    ['a few', 5, true, true],
    ['several, which leave no room for the others', 15, true, false],
    ['many', 60, false, false],
  ])('what is lost is open before what is not: %s', (_what, count, isLossOpen, isChangeOpen) => {
    const named = { before: { name: 'a', size: 1 }, after: { name: 'a', size: 2 } };
    const changes = [
      ...Array.from({ length: count }, (_, index) =>
        makeChange({ address: `projects.a.vms.v${index}-x`, action: 'delete', ...named }),
      ),
      makeChange({ address: 'projects.a.vms.other', action: 'update', ...named }),
    ];
    const text = renderPlanMarkdown(makePlan(changes));
    expect(text.match(/<details( open)?><summary>/g)).toEqual(
      [isLossOpen, isChangeOpen].map((isOpen) => `<details${isOpen ? ' open' : ''}><summary>`),
    );
  });

  test('findings are as wide as a pull request shows them', () => {
    const detail = 'something that goes on '.repeat(20).trim();
    const text = renderPlanMarkdown(makePlan([], { findings: [makeFinding({ detail })] }));
    const [, fenced = ''] = text.split('```diff\n');
    expect(fenced).toContain('something that goes on');
    expect(Math.max(...fenced.split('\n').map((line) => line.length))).toBeLessThanOrEqual(98);
  });

  test('very many that are gone, and very many outputs, are cut and counted', () => {
    const gone = Array.from({ length: 60 }, (_, index) => `projects.shop.vms.web-${index}`);
    const outputs = Array.from({ length: 80 }, (_, index) => ({
      ...{ name: `o${index}`, action: 'create' as const, before: null, after: index },
      ...{ isUnknown: false, isSensitive: false, wasSensitive: false },
    }));
    const text = renderPlanMarkdown(makePlan([], { gone, outputs }));
    expect(text.match(/has been deleted$/gm)).toHaveLength(50);
    expect(text).toMatch(/^# and 10 more$/m);
    expect(text.match(/^\+ {3}o\d+ += \d+$/gm)).toHaveLength(59);
    expect(text).toMatch(/^# and 21 more lines$/m);
  });

  test('what is left out is counted by what happens to it', () => {
    const last = makeChange({ address: 'projects.z', action: 'replace', before: {}, after: {} });
    const first = makeChange({ ...last, address: 'projects.z1', isCreatedFirst: true });
    const moved = makeChange({ ...last, action: 'no-op', movedFrom: 'projects.y' });
    const taken = makeChange({ ...last, action: 'no-op', isImported: true });
    const { changes } = many(2_000);
    expect(renderPlanMarkdown(makePlan([...changes, last, first, moved, taken]))).toMatch(
      /changes left out here\*\* \(1 to import, \d+ to add\): a comment/,
    );
  });
});

test('a state as a comment, cut where it is too long', () => {
  const resourceOf = (index: number) => ({
    address: `projects.shop.vms.web[${index}]`,
    kind: 'vm' as const,
    id: `vm-${index}`,
    projectId: 'p',
    attributes: { name: '```' },
    configured: [],
  });
  const stateOf = (count: number) => {
    const resources = Array.from({ length: count }, (_, index) => resourceOf(index));
    return {
      lineage: 'l',
      serial: 1,
      service: null,
      resources: new Map(resources.map((one) => [one.address, one])),
      pending: new Map([['projects.shop.vms.db', { address: 'projects.shop.vms.db' }]]) as never,
    };
  };
  expect(renderStateMarkdown(stateOf(1))).toMatchInlineSnapshot(`
    "## Hostwright state: 1 resource

    \`\`\`\`diff
    # projects.shop.vms.web[0]:
    vm "web" {
        id   = "vm-0"
        name = "\`\`\`"
    }
    \`\`\`\`

    1 create sent, not yet seen in the account.
    "
  `);
  const long = renderStateMarkdown(stateOf(5_000));
  expect(long.length).toBeLessThanOrEqual(65_536);
  expect(long).toMatch(/^## Hostwright state: 5000 resources\n/);
  expect(long).toMatch(/\*\*\d+ more resources left out here\.\*\*/);
});
