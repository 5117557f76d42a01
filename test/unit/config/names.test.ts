import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadText, publicKey, vmFields } from './load.ts';

const decomposed = 'cafe\u0301';
const composed = 'caf\u00E9';

/** A configuration in which one kind has that name, as YAML writes it, and where the name stands. */
// prettier-ignore
const kinds: readonly (readonly [string, (name: string) => string, string])[] = [
  ['project', (name) => inShop(`name: ${name}`), 'a.yaml:4:11'],
  ['SSH key', (name) => inShop(`sshKeys: { a: { name: ${name}, publicKey: ${publicKey} } }`), 'a.yaml:4:27'],
  ['network', (name) => inShop(`networks: { a: { name: ${name} } }`), 'a.yaml:4:28'],
  ['VM', (name) => inShop(`vms: { a: { name: ${name}, ${vmFields} } }`), 'a.yaml:4:23'],
  ['access token', (name) => `version: 1\ntokens: { a: { name: ${name}, scopes: [read], writeTo: { file: a } } }\n`, 'a.yaml:2:22'],
];

const load = async (text: string, end = '.a') => {
  const result = await loadText(text);
  const found = result.configuration?.graph.resources.find(({ address }) => address.endsWith(end));
  return { ...result, faults: listFaults(result), name: found?.attributes.name };
};

describe.each(kinds)('the name of a %s', (kind, write, place) => {
  it.each([
    ['a blank before it', '" web"'],
    ['a blank behind it', '"web "'],
    ['a tab', '"web\\t"'],
    ['a no-break space', '"\\u00A0web"'],
    ['a control character', '"web\\u0007"'],
    ['a blank that an expression gives', "\"web${1 > 0 ? ' ' : ''}\""],
  ])('is refused with %s, with its place and how to write it', async (_what, name) => {
    const { configuration, diagnostics, faults } = await load(write(name));
    expect(configuration).toBeUndefined();
    expect(faults).toEqual([`${place} name-outer-blanks`]);
    expect(diagnostics[0]).toMatchObject({
      severity: 'error',
      summary: `The name of this ${kind} begins or ends with white space`,
      hint: 'Write it as `web`.',
    });
  });

  it('is taken in normal form C, however it is written', async () => {
    expect(await load(write(`"${decomposed}"`), suffixOf(kind))).toMatchObject({
      ...{ faults: [], name: composed },
    });
    const byExpression = write(`"\${'cafe' + '\u0301'}"`);
    expect(await load(byExpression, suffixOf(kind))).toMatchObject({ faults: [], name: composed });
  });
});

const suffixOf = (kind: string): string => (kind === 'project' ? 'projects.shop' : '.a');

describe('a name', () => {
  it('may have blanks inside', async () => {
    const text = inShop('networks: { a: { name: "a  b" } }');
    expect(await load(text)).toMatchObject({ faults: [], name: 'a  b' });
  });

  it('is refused once where it is the same for many', async () => {
    const text = inShop(`vms: { a: { ${vmFields}, count: 3, name: "\${each.index} " } }`);
    const { faults } = await load(text);
    expect(faults).toEqual(['a.yaml:4:72 name-outer-blanks']);
  });

  it('that is made of the key of an instance is refused at the key of the resource', async () => {
    const text = inShop(`vms: { a: { ${vmFields}, forEach: { "eu ": 1 } } }`);
    const { faults } = await load(text);
    expect(faults).toEqual(['a.yaml:4:12 name-outer-blanks']);
  });

  it('that is sensitive is not shown', async () => {
    const text = `${inShop('networks: { a: { name: "${var.s} " } }')}variables: { s: { default: hunter2, sensitive: true } }\n`;
    const { diagnostics, faults } = await load(text);
    expect(faults).toEqual(['a.yaml:4:28 name-outer-blanks']);
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2 ');
    expect(diagnostics[0]?.hint).toBe('Remove the white space at its ends.');
  });

  it('is in normal form C where another reads it', async () => {
    const text = inShop(`
networks: { a: { name: "${decomposed}" }, b: { name: "x-\${projects.shop.networks.a.name}" } }`);
    expect(await load(text, '.b')).toMatchObject({ faults: [], name: `x-${composed}` });
  });
});

describe('two names', () => {
  const two = (one: string, other: string) =>
    inShop(`networks:\n  a: { name: "${one}" }\n  b: { name: "${other}" }`);

  it('that are one in normal form C are two of one name', async () => {
    const { faults, configuration } = await load(two(decomposed, composed));
    expect(faults).toEqual(['a.yaml:6:18 duplicate-name']);
    expect(configuration).toBeUndefined();
  });

  it.each([
    ['web', 'Web'],
    ['STRASSE', 'straße'],
  ])('that differ in case alone are warned of: %s and %s', async (one, other) => {
    const { faults, diagnostics, configuration } = await load(two(one, other));
    expect(configuration).toBeDefined();
    expect(faults).toEqual(['a.yaml:6:18 names-alike']);
    expect(diagnostics[0]).toMatchObject({
      severity: 'warning',
      summary: `Two networks of projects.shop have the names \`${one}\` and \`${other}\`, which differ in case only`,
      detail:
        'projects.shop.networks.b and projects.shop.networks.a at a.yaml:5:18. A service that ignores case refuses the second of them.',
      address: 'projects.shop.networks.b',
    });
  });

  it('that differ in case alone are warned of once for all instances', async () => {
    const names = '{ a: Web, b: WEB, c: web }';
    const text = inShop(`vms: { a: { ${vmFields}, forEach: ${names}, name: "\${each.value}" } }`);
    expect((await load(text, 'a["a"]')).faults).toEqual(['a.yaml:4:99 names-alike']);
  });

  it('of two kinds, or of two projects, have nothing to do with each other', async () => {
    const text = `${inShop(`networks: { a: { name: Web } }\nvms: { a: { ${vmFields}, name: web } }`)}  store: { networks: { a: { name: WEB } } }\n`;
    expect((await load(text)).faults).toEqual([]);
  });

  it('leave the outputs as they are where they are only alike', async () => {
    const text = `${two('web', 'Web')}outputs: { o: { value: "\${projects.shop.networks.b.name}" } }\n`;
    const { configuration } = await load(text);
    expect(configuration?.graph.outputs).toHaveLength(1);
  });
});
