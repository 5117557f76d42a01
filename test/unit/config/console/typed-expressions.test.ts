import { describe, expect, test } from 'vitest';
import type { ConsoleExpressionEvaluator } from '../../../../src/config/console/typed-expressions.ts';
import { loadText } from '../load.ts';

const yaml = `version: 1
variables: { team: { default: shop }, key: { default: s3cret-key, sensitive: true } }
locals: { sizes: { small: 1, "very large": 9 }, zones: [a, b] }
projects:
  shop:
    networks: { backend: {} }
    vms:
      web: { count: 3, image: debian-12, configuration: c1-r1-d20, tariff: monthly }
      app: { forEach: [eu], image: debian-12, configuration: c1-r1-d20, tariff: monthly }
`;

async function openTyped(): Promise<ConsoleExpressionEvaluator> {
  const { typed } = (await loadText(yaml)).readable();
  if (!typed) throw new Error('nothing to evaluate with');
  return typed;
}

describe('what is typed', () => {
  test.each([
    ['', ['local', 'var', 'projects', 'upper(']],
    ['1 + up', ['upper(']],
    ['va', ['var', 'values(']],
    ['size(local.', ['local.sizes', 'local.zones']],
    ['var.t', ['var.team']],
    ['local.sizes', ['local.sizes']],
    ['local.sizes.', ['local.sizes.small']],
    ['local.sizes[', ['local.sizes["small"]', 'local.sizes["very large"]']],
    ['local.zones[', ['local.zones[0]', 'local.zones[1]']],
    ['projects.shop.vms.', ['projects.shop.vms.app', 'projects.shop.vms.web']],
    ['projects.shop.vms.web[', [0, 1, 2].map((index) => `projects.shop.vms.web[${index}]`)],
    ['projects.shop.vms.web[0].internal', ['projects.shop.vms.web[0].internalIp']],
    ['projects.shop.vms.app["', ['projects.shop.vms.app["eu"]']],
    ['projects.shop.networks.backend.ci', ['projects.shop.networks.backend.cidr']],
    ['nothing.like.', []],
    ['var.team.', []],
    ['local["z', ['local["zones"]']],
  ])('%j goes on with', async (line, wanted) => {
    const { candidates, fragment } = (await openTyped()).complete(line);
    if (line === '' || line === 'va') expect(candidates).toEqual(expect.arrayContaining(wanted));
    else expect(candidates).toEqual(wanted);
    expect(line.endsWith(fragment)).toBe(true);
    for (const one of candidates) expect(one.startsWith(fragment)).toBe(true);
  });

  test('has the value that it would have in the configuration', async () => {
    const typed = await openTyped();
    expect(typed.evaluate('local.sizes.small + 1')).toMatchObject({ kind: 'value', value: 2 });
    expect(typed.evaluate("'${var.team}-x'")).toMatchObject({ kind: 'value', value: 'shop-x' });
    expect(typed.evaluate('${var.key}')).toMatchObject({ kind: 'value', isSensitive: true });
    expect(typed.evaluate('projects.shop.vms.web[1].name')).toMatchObject({ value: 'web-1' });
    expect(typed.evaluate('projects.shop.id')).toMatchObject({ kind: 'deferred' });
  });

  test.each([
    ['each.index', 'each-outside-count'],
    ['var.', 'broken-expression'],
    ['"text" + 1', 'expression-type'],
    ['nosuch(1)', 'unknown-function'],
    ['[1][5]', 'unknown-name'],
    ['file("x")', 'file-unreadable'],
  ])('%s is refused', async (text, code) => {
    const outcome = (await openTyped()).evaluate(text);
    expect(outcome).toMatchObject({ kind: 'faults', diagnostics: [{ code }] });
  });
});
