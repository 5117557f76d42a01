import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { measureTerminalWidth } from '../../../../src/render/format/measure.ts';
import { describeInlineDiff, drawInlineValue } from '../../../../src/render/text/inline-value.ts';
import { renderPlanOneline, renderStateOneline } from '../../../../src/render/text/oneline-text.ts';
import { compareValues, markWholeValue } from '../../../../src/render/view/value-diff.ts';
import { readCase } from '../../../support/golden-case.ts';
import { checkedPlanOf } from '../../../support/plan-lines.ts';

const golden = join(import.meta.dirname, '../../../golden');
const layout = { columns: 80, style: createAnsiStyle(false), room: Infinity };

async function draw(name: string, options: Partial<typeof layout> = {}): Promise<string> {
  const plan = checkedPlanOf(await readCase(join(golden, name)));
  return renderPlanOneline(plan, { ...layout, ...options });
}

describe('a plan in a line a resource', () => {
  // What else a line may say stands in the golden files.
  it.each([
    [
      'backups-counted',
      [
        '-/+ projects.shop.vms.web[0]  ! Everything on its disk (40 GB) is lost.  ! Its 3 backups are deleted with it.  configuration: "c2-r4-d40" -> "c4-r8-d80" (forces replacement), cpu: 2 -> 4, disk: 40 -> 80, internalIp: "10.0.0.2" -> (known after apply), ram: 4 -> 8',
        '-/+ projects.shop.vms.web[1]  ! Everything on its disk (40 GB) is lost.  configuration: "c2-r4-d40" -> "c4-r8-d80" (forces replacement), cpu: 2 -> 4, disk: 40 -> 80, internalIp: "10.0.0.3" -> (known after apply), ram: 4 -> 8',
        '  ~ projects.shop.publicIps.edge.forwards.https  vm: "web[0] (id:vm-1)" -> "web[0]"',
      ],
    ],
    [
      'removed-and-left-alone',
      ['. projects.shop.vms.web  (destroy: false is set in the configuration)'],
    ],
    [
      'scale-down-count',
      [
        '- projects.shop.vms.web[1]  ! Everything on its disk (40 GB) is lost.  ! Its backups are deleted with it.  (because index [1] is out of range for count)',
      ],
    ],
  ])('%s', async (name, lines) => {
    expect((await draw(name)).split('\n\n')[0]?.split('\n')).toEqual(lines);
  });

  it('folds nothing, and closes with the counts', async () => {
    const text = await draw('fold-updates');
    expect(text.match(/^~ /gm)).toHaveLength(40);
    expect(text).toMatch(/\nPlan: 0 to add, 40 to change, 0 to destroy\.\n$/);
  });

  it('says that there is nothing to do, and that it cannot be applied', async () => {
    expect(await draw('account-unchanged')).toMatch(/^No changes\. /);
    expect(await draw('create-first-in-a-circle')).toMatch(
      /\n╷\n│ Error: [^]*\nThis plan cannot be applied: it has 2 errors\./,
    );
  });

  it('shows whole what is run on this machine', async () =>
    expect(await draw('token-for-a-command')).toMatch(
      /\n\nCommands that [^]*:\n\n {2}# tokens\.ci\["eu"\]\n {4}vault kv put -mount=secret /,
    ));

  it('shows the drift of a refresh', async () => {
    const world = {
      ...(await readCase(join(golden, 'changed-outside'))),
      mode: 'refresh' as const,
    };
    expect(renderPlanOneline(checkedPlanOf(world), layout)).toMatch(
      /^~ projects\.shop\.vms\.web\[0\] {2}name: "web-0" -> "by-hand"/,
    );
  });

  it('cuts lines for a terminal alone, and keeps symbol, address and loss to be seen', async () => {
    for (const style of [createAnsiStyle(false), createAnsiStyle(true)]) {
      const [first = '', second = '', third = ''] = (
        await draw('backups-counted', { style, room: 60 })
      ).split('\n');
      expect([first, second].map(measureTerminalWidth)).toEqual([60, 60]);
      expect(measureTerminalWidth(third)).toBeLessThanOrEqual(60);
      expect(stripVTControlCharacters(first)).toBe(
        '-/+ projects.shop.vms.web[0]  ! Everything on its disk (40 …',
      );
    }
  });
});

it('a state is a line a resource, too', async () => {
  const { state } = await readCase(join(golden, 'attach-second-network'));
  expect(renderStateOneline(state, { room: Infinity }).split('\n')).toContain('projects.shop  p-1');
  expect(renderStateOneline(state, { room: 20 }).split('\n')[0]).toMatch(/^.{0,20}$/);
});

describe('a difference on one line', () => {
  it.each([
    [1, 2, 'a: 1 -> 2'],
    [null, true, 'a: true'],
    ['x', null, 'a: "x" -> null'],
    ['x\ny', 'x\nz', 'a: (2 changed lines)'],
    [['a', 'b'], ['b', 'c'], 'a: - "a", + "c"'],
    [[{ p: 1 }], [{ p: 2 }], 'a: ~ { p: 2 }'],
    [{ p: 1, q: 2 }, { p: 1, q: 3, 'r s': null }, 'a.q: 2 -> 3'],
    [{ p: { q: 'x' } }, { p: { q: 'y' } }, 'a.p.q: "x" -> "y"'],
    ['x', ['y'], 'a: "x" -> ["y"]'],
  ])('%j to %j', (before, after, text) => {
    expect(describeInlineDiff('a', compareValues(before, after))).toBe(text);
  });

  it('has no value where there is none to show', () => {
    expect(describeInlineDiff('a', { kind: 'sensitive', mark: 'update' })).toBe(
      'a: (sensitive value)',
    );
    expect(describeInlineDiff('a', { kind: 'various', mark: 'update', count: 3 })).toBe(
      'a: (3 different values)',
    );
    expect(drawInlineValue({ kind: 'unknown', mark: 'create' })).toBe('(known after apply)');
    expect(drawInlineValue(markWholeValue({}, 'none'))).toBe('{}');
    expect(drawInlineValue(markWholeValue('a\nb', 'none'))).toBe(String.raw`"a\nb"`);
  });
});
