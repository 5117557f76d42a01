import { describe, expect, it } from 'vitest';
import { foldNameForComparison, trimName } from '../../../../src/model/text/fold-name.ts';

describe('trimName', () => {
  it.each([
    ['web', 'web'],
    [' web ', 'web'],
    ['\tweb\n', 'web'],
    ['\u00A0web\u3000', 'web'],
    ['\uFEFFweb\u0085', 'web'],
    ['\u0000web\u0007', 'web'],
    ['web 1', 'web 1'],
    [' \t ', ''],
    ['', ''],
    // Not blank: it joins the parts of an emoji.
    ['web\u200D', 'web\u200D'],
  ])('gives %j as %j', (name, trimmed) => expect(trimName(name)).toBe(trimmed));

  it('takes no longer for a long run of blanks inside', () => {
    const name = `a${' '.repeat(500_000)}b`;
    expect(trimName(name)).toBe(name);
  });
});

describe('foldName', () => {
  it.each([
    ['the same name', 'web', 'web'],
    ['blanks at the ends', ' web\t', 'web'],
    ['another case', 'Web-1', 'wEB-1'],
    ['decomposed letters', 'cafe\u0301', 'caf\u00E9'],
    ['decomposed letters in another case', 'CAFE\u0301', 'caf\u00E9'],
    ['marks in another order', 'q\u0323\u0307', 'q\u0307\u0323'],
    ['a sharp s', 'Straße', 'STRASSE'],
    ['a capital sharp s', 'STRAẞE', 'straße'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['a sigma that is not final', 'οδοσ', 'οδος'],
    ['a dotted capital I', 'İzmir', 'izmir'],
    ['a dotted capital I as JavaScript lower-cases it', 'İzmir', 'i\u0307zmir'],
    ['a dotless i', 'ısparta', 'Isparta'],
    ['a ligature', 'ﬁle', 'FILE'],
    ['an iota subscript', 'ᾳ', 'ΑΙ'],
    ['the Kelvin sign', '\u212A8s', 'k8s'],
    ['a long s', 'ſql', 'SQL'],
    ['a micro sign', 'µ', 'Μ'],
    ['Cherokee', 'Ꭰ', 'ꭰ'],
    ['letters outside the first plane', '𐐀', '𐐨'],
  ])('gives both names one form: %s', (_what, one, other) => {
    expect(foldNameForComparison(one)).toBe(foldNameForComparison(other));
  });

  it.each([
    ['other words', 'web', 'wep'],
    ['a blank inside', 'web 1', 'web1'],
    ['two blanks inside', 'web  1', 'web 1'],
    ['an accent', 'café', 'cafe'],
    ['an umlaut', 'Müller', 'Mueller'],
    ['a compatibility form', 'x²', 'x2'],
    ['full width', 'ｗｅｂ', 'web'],
    ['a look-alike of another script', 'wеb', 'web'],
    ['a zero-width joiner', 'web\u200D', 'web'],
  ])('keeps them apart: %s', (_what, one, other) => {
    expect(foldNameForComparison(one)).not.toBe(foldNameForComparison(other));
  });

  it('gives every letter the form of its upper and lower case, normalised or not, and folds it once', () => {
    const different: string[] = [];
    for (let code = 0; code <= 0x1_ff_ff; code += 1) {
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const letter = `a${String.fromCodePoint(code)}b`;
      const folded = foldNameForComparison(letter);
      const forms = [
        letter.toLowerCase(),
        letter.toUpperCase(),
        letter.normalize('NFC'),
        letter.normalize('NFD'),
        letter.normalize('NFC').toLowerCase(),
        letter.normalize('NFD').toUpperCase(),
        folded,
      ];
      if (forms.some((form) => foldNameForComparison(form) !== folded))
        different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });

  it('bears halves of letters', () => expect(foldNameForComparison('\uD800A')).toBe('\uD800a'));
});
