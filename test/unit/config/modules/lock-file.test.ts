import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  formatModulePins,
  parseModulePins,
  type ModulePin,
} from '../../../../src/config/modules/lock-file.ts';
import { ConfigurationFaultList } from '../../../../src/config/source/fault-list.ts';
import { SourceFile } from '../../../../src/config/source/source-file.ts';

function parse(text: string) {
  const faults = new ConfigurationFaultList();
  const pins = parseModulePins(new SourceFile('hostwright.lock.yaml', text), faults);
  return { pins, codes: faults.toDiagnostics().map(({ code }) => code) };
}

const hex = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'.match(/./g)!),
    minLength: length,
    maxLength: length,
  });
const pin = fc.record<ModulePin>({
  commit: hex(40),
  content: hex(64).map((one) => `sha256:${one}`),
});
const name = fc
  .tuple(fc.constantFrom('git::https://a.example/r', 'git::ssh://git@b/c.git'), fc.nat())
  .map(([base, version]) => `${base}?ref=v${version}`);

describe('the lock file', () => {
  property.prop([fc.array(fc.tuple(name, pin))])('reads as it was written', (entries) => {
    const pins = new Map(entries);
    const read = parse(formatModulePins(pins));
    expect(read.codes).toEqual([]);
    expect(new Map(read.pins)).toEqual(pins);
  });

  property.prop([fc.array(fc.tuple(name, pin))])('has one text, whatever the order', (entries) => {
    const pins = new Map(entries);
    expect(formatModulePins(new Map([...pins].reverse()))).toBe(formatModulePins(pins));
  });

  it('keeps the name of a commit that YAML would take for a number', () => {
    const content = `sha256:${'0'.repeat(64)}`;
    const pins = new Map(
      ['1'.repeat(40), `${'1'.repeat(20)}e${'1'.repeat(19)}`].map((commit) => [
        `git::https://a/${commit}`,
        { commit, content },
      ]),
    );
    expect(new Map(parse(formatModulePins(pins)).pins)).toEqual(pins);
  });

  it.each([
    ['', 'invalid-lock-file'],
    ['version: 2\n', 'invalid-lock-file'],
    ['[1]', 'invalid-lock-file'],
    ['version: 1\nmodules: { a: { commit: abc, content: "sha256:0" } }', 'invalid-lock-file'],
    [`version: 1\nmodules: { a: { commit: ${'a'.repeat(40)} } }`, 'invalid-lock-file'],
    ['version: 1\nmodules: { a: b }', 'invalid-lock-file'],
  ])('is refused: %s', (text, code) => {
    expect(parse(text)).toEqual({ pins: undefined, codes: [code] });
  });

  it('is refused with the marks of a conflict', () => {
    const { pins, codes } = parse(
      'version: 1\n<<<<<<< ours\nmodules: {}\n=======\n>>>>>>> theirs\n',
    );
    expect(pins).toBeUndefined();
    expect(codes).not.toEqual([]);
  });

  it('may hold no module', () => expect(parse('version: 1\nmodules: {}\n').pins?.size).toBe(0));
});
