import { describe, expect, it, test } from 'vitest';
import { applyTextEdits } from '../../../../src/config/accept/edit-node.ts';
import type { Value } from '../../../../src/model/value.ts';
import { formatSourcePlace } from '../../../../src/model/source.ts';
import { inShop, loadFiles, publicKey } from '../load.ts';

const frame = (shop: string, more = '') =>
  `version: 1\n${more}projects:\n  shop:\n    networks: { a: {}, b: {}, c: {} }\n    vms:\n${shop}`;
const flow = 'image: u, configuration: c, tariff: t';
const block = `      web:
        # What it runs.
        image: u # as it is
        configuration: 'c'
        tariff: t
`;
const web = 'projects.shop.vms.web';

/** The YAML with the value in it; where it cannot be, the place and why. */
async function accept(
  text: string,
  field: string,
  value: Value,
  { address = web, files = {} }: { address?: string; files?: Record<string, string> } = {},
): Promise<string> {
  const { configuration, diagnostics } = await loadFiles({ 'a.yaml': text, ...files });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const way = configuration!.written!.accept(address, field, value);
  if (way.kind === 'edits') return applyTextEdits(text, way.edits);
  return `${way.source ? formatSourcePlace(way.source) : ''} ${way.why}`;
}

describe('a value is written in the place of the old one', () => {
  const before = frame(block);
  test.each<[string, string, Value, string, string]>(
    // prettier-ignore
    [
      ['before a comment', 'image', 'debian-12', 'image: u #', 'image: debian-12 #'],
      ['with quotes where it needs them', 'image', 'a: b', 'image: u #', 'image: "a: b" #'],
      ['without quotes where it needs none', 'configuration', 'big', "'c'", 'big'],
      ['as text, not as an expression', 'tariff', '${x}', 'tariff: t', 'tariff: $${x}'],
      ['with escapes', 'tariff', '\u202ex', 'tariff: t', String.raw`tariff: "\u202ex"`],
      ['as no command', 'tariff', '::x', 'tariff: t', 'tariff: "::x"'],
      ['as text that looks like a number', 'tariff', '12', 'tariff: t', 'tariff: "12"'],
      ['as a new first line', 'power', 'stopped', '      web:\n', '      web:\n        power: stopped\n'],
      ['as a new list', 'networks', ['a', 'b'], '      web:\n', '      web:\n        networks: [a, b]\n'],
    ],
  )('%s', async (_, field, value, from, to) => {
    expect(await accept(before, field, value)).toBe(before.replace(from, () => to));
    const windows = before.replaceAll('\n', '\r\n');
    const expected = before.replace(from, () => to).replaceAll('\n', '\r\n');
    expect(await accept(windows, field, value)).toBe(expected);
  });

  test.each<[string, string, string, Value, string]>(
    // prettier-ignore
    [
      ['in braces', `      web: { ${flow} }\n`, 'image', 'a', `      web: { ${flow.replace('u', 'a')} }\n`],
      ['in braces with quotes', `      web: { ${flow} }\n`, 'image', 'a, b', `      web: { ${flow.replace('u', '"a, b"')} }\n`],
      ['as a new entry in braces', `      web: { ${flow} }\n`, 'name', 'x', `      web: { name: x, ${flow} }\n`],
      ['in a list in brackets', `      web: { ${flow}, networks: [ a,b ] }\n`, 'networks', ['b', 'c'], `      web: { ${flow}, networks: [b, c] }\n`],
      ['in an empty list', `      web: { ${flow}, networks: [] }\n`, 'networks', ['c'], `      web: { ${flow}, networks: [c] }\n`],
    ],
  )('%s', async (_, shop, field, value, expected) => {
    expect(await accept(frame(shop), field, value)).toBe(frame(expected));
  });

  const list = (lines: string) =>
    frame(`${block}        networks:${lines}        power: running\n`);
  const two = '\n          - a # first\n          # then\n          - b\n';
  test.each<[string, string, Value, string]>([
    ['an item for another', two, ['a', 'c'], two.replace('- b', '- c')],
    ['an item more', two, ['a', 'b', 'c'], `${two}          - c\n`],
    ['an item less', two, ['a'], two.replace('          - b\n', '')],
    ['no item left', '\n          - a\n', [], ' []\n'],
  ])('a list with %s', async (_, lines, value, expected) => {
    expect(await accept(list(lines), 'networks', value)).toBe(list(expected));
  });

  it('in a map, and only what differs', async () => {
    const text =
      'version: 1\naccount: { locale: en-GB, notifications: { failures: true, quotas: false } }\n';
    const value = { failures: false, quotas: false };
    const options = { address: 'account' };
    expect(await accept(text, 'notifications', value, options)).toBe(text.replace('true', 'false'));
  });
});

describe('what an edit cannot do is for a person, at a line', () => {
  const module = { 'm/main.yaml': frame(block) };
  const variables = 'variables: { size: { type: string, default: c } }\n';
  const marked =
    'Its text has an anchor, an alias or a tag, so that other values may depend on it.';
  const anchored = block.replace('image: u', 'image: &x u');
  const networks = (lines: string) => frame(`${block}        networks:${lines}\n`);
  const items = (...lines: string[]) => networks(lines.map((one) => `\n          ${one}`).join(''));

  test.each<[string, string, string, Value, string, address?: string]>(
    // prettier-ignore
    [
      ['an expression', frame(block.replace("'c'", '${var.size}'), variables), 'configuration', 'd', '10:24 The value comes from an expression, which reads `var.size` (a.yaml:2:45).'],
      ['a repeated block', frame(`      web: { count: 1, ${flow} }\n`), 'image', 'd', '6:31 The block has `count`: it stands for several resources.', `${web}[0]`],
      ['defaults', frame('      web: {}\n', `defaults: { vms: { ${flow} } }\n`), 'image', 'd', '2:27 The value is not in the block of the resource: others may have it, too.'],
      ['an anchor', frame(anchored), 'image', 'd', `8:19 ${marked}`],
      ['an alias', frame(anchored.replace("'c'", '*x')), 'configuration', 'd', `9:24 ${marked}`],
      ['no value', frame(block), 'image', null, '8:16 The account has no value for it: remove the line.'],
      ['a stranger', frame(block), 'networks', ['id:n-1'], '6:7 The account has a resource here that is not configured: add it to the configuration first, for example with `hostwright export`.'],
      ['an item with a comment', items('- a # mine', '- b'), 'networks', ['b'], '12:11 An item that goes has a comment on its line.'],
      ['comments in brackets', networks(' [\n          a, # mine\n          b]'), 'networks', ['b'], '11:19 There are comments between its brackets.'],
      ['comments between items', items('- a', '# mine', '- b'), 'networks', [], '12:11 There are comments between its items.'],
      ['an anchored item', items('- &x a'), 'networks', ['b'], '12:11 Its items are written in a way that only a person can change.'],
      ['no list', frame(block), 'image', ['b'], '8:16 It is no list in the file.'],
      ['no text', networks(' [a]'), 'networks', 'b', '11:19 It is a list in the file.'],
      ['an empty block', inShop('networks:\n  a:'), 'name', 'x', '5:7 Its block has no `name`: add `name: x`.', 'projects.shop.networks.a'],
    ],
  )('%s', async (_what, text, field, value, expected, address = web) => {
    expect(await accept(text, field, value, { address })).toBe(`a.yaml:${expected}`);
  });

  it('a module, a file with a key, a resource that is not there', async () => {
    const text = 'version: 1\nmodules: { m: { source: ./m } }\n';
    const address = `modules.m.${web}`;
    expect(await accept(text, 'image', 'd', { files: module, address })).toBe(
      'm/main.yaml:8:16 The block is in a module, which other resources may be made of, too.',
    );
    const keys = 'version: 1\nprojects:\n  shop:\n    sshKeys: { k: { publicKeyFile: k.pub } }\n';
    const key = { files: { 'k.pub': publicKey }, address: 'projects.shop.sshKeys.k' };
    expect(await accept(keys, 'publicKey', publicKey, key)).toBe(
      'a.yaml:4:36 The value is the content of a file: change that file.',
    );
    const none = ' The configuration has no such resource.';
    expect(await accept(keys, 'name', 'x', { ...key, address: web })).toBe(none);
  });
});
