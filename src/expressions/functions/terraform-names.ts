// Terraform's functions, and what takes the place of each here: for whoever writes the name that they know.

/** Counterpart of a function of Terraform in expressions here, for hints. */
export type TerraformCounterpart =
  /** A function with the same purpose; `note` tells the differences. */
  | { readonly kind: 'function'; readonly name: string; readonly note?: string }
  /** An expression that does the same; `note` tells the differences. */
  | { readonly kind: 'expression'; readonly write: string; readonly note?: string }
  /** Terraform's function has no counterpart here, for the given reason. */
  | { readonly kind: 'none'; readonly why: string };

const same = (name: string, note?: string): TerraformCounterpart => ({
  kind: 'function',
  name,
  ...(note !== undefined && { note }),
});
const write = (text: string, note?: string): TerraformCounterpart => ({
  kind: 'expression',
  write: text,
  ...(note !== undefined && { note }),
});
const none = (why: string): TerraformCounterpart => ({ kind: 'none', why });

const noSecrets = 'Secrets come from outside, and a configuration derives none.';
const noClock = 'Two plans of one configuration are the same. Give the time as a variable.';
const noHash = 'SHA-256 is the only checksum: `sha256(text)`.';
const noPath = 'A plan holds no path of one machine.';
const noUrl = 'No field of the service is a URL.';
const spread = 'It takes one list in place of `list...`.';

/** Counterparts by Terraform's spelling, in alphabetical order. */
export const terraformFunctions: ReadonlyMap<string, TerraformCounterpart> = new Map([
  ['abs', same('abs')],
  ['abspath', none(noPath)],
  ['alltrue', write('list.all(x, x)')],
  ['anytrue', write('list.exists(x, x)')],
  ['base64decode', same('base64Decode')],
  ['base64encode', same('base64Encode')],
  ['base64gzip', none('No field of the service takes compressed data.')],
  ['base64sha256', none(noHash)],
  ['base64sha512', none(noHash)],
  ['basename', write('regex("[^/]*$", path)')],
  ['bcrypt', none(noSecrets)],
  ['can', same('can')],
  ['ceil', same('ceil')],
  ['chomp', write('replace(text, "/(\\\\r?\\\\n)+$/", "")')],
  ['chunklist', same('chunk')],
  ['cidrcontains', same('cidrContains', 'It is a function of OpenTofu.')],
  ['cidrhost', same('cidrHost')],
  ['cidrnetmask', same('cidrNetmask')],
  ['cidrsubnet', same('cidrSubnet')],
  ['cidrsubnets', write('range(count).map(i, cidrSubnet(range, 8, i))')],
  ['coalesce', same('coalesce')],
  ['coalescelist', write('size(a) > 0 ? a : b')],
  ['compact', same('compact')],
  ['concat', same('concat', '`flatten(lists)` takes the place of `lists...`.')],
  ['contains', same('contains')],
  ['convert', none('Declare a variable with the type.')],
  ['csvdecode', same('csvDecode')],
  ['defaults', none('Declare optional members in the type of a variable.')],
  ['dirname', write('replace(path, "//[^/]*$/", "")')],
  ['distinct', same('distinct')],
  ['element', write('list[i % size(list)]')],
  ['endswith', same('endsWith')],
  ['ephemeralasnull', none('No value is ephemeral.')],
  ['file', same('file')],
  ['filebase64', same('fileBase64')],
  ['filebase64sha256', none(noHash)],
  ['filebase64sha512', none(noHash)],
  ['fileexists', same('fileExists')],
  ['filemd5', none(noHash)],
  [
    'fileset',
    same('fileSet', 'A missing directory is an error. Links to directories are not followed.'),
  ],
  ['filesha1', none(noHash)],
  ['filesha256', write('sha256(file(path))')],
  ['filesha512', none(noHash)],
  ['flatten', same('flatten')],
  ['floor', same('floor')],
  ['format', same('format')],
  ['formatdate', same('formatDate')],
  ['formatlist', same('formatList')],
  ['indent', same('indent')],
  ['index', write('range(size(list)).filter(i, list[i] == value)[0]')],
  ['issensitive', none('Whatever is made of a sensitive value is sensitive.')],
  ['join', same('join')],
  ['jsondecode', same('jsonDecode')],
  ['jsonencode', same('jsonEncode')],
  ['keys', same('keys')],
  ['length', write('size(x)')],
  ['list', write('[a, b]')],
  ['log', none('No size of the service is a logarithm.')],
  ['lookup', same('lookup')],
  ['lower', same('lower')],
  ['map', write('{"key": value}')],
  ['matchkeys', write('range(size(a)).filter(i, b[i] in list).map(i, a[i])')],
  ['max', same('max', spread)],
  ['md5', none(noHash)],
  ['merge', same('merge', spread)],
  ['min', same('min', spread)],
  ['nonsensitive', none('A value that was declared sensitive stays sensitive.')],
  ['one', same('one')],
  ['parseint', same('parseInt', 'Larger numbers than 2 to the power of 53 are an error.')],
  ['pathexpand', none(noPath)],
  ['plantimestamp', none(noClock)],
  ['pow', write('x * x')],
  ['range', same('range', 'It makes up to 100,000 numbers, not 1,024.')],
  ['regex', same('regex')],
  ['regexall', same('regexAll')],
  ['replace', same('replace')],
  ['reverse', same('reverse')],
  ['rsadecrypt', none(noSecrets)],
  ['sensitive', none('Write `sensitive: true` at the variable or the output.')],
  ['setintersection', same('setIntersection')],
  ['setproduct', same('setProduct', spread)],
  ['setsubtract', write('a.filter(x, !(x in b))')],
  ['setunion', same('setUnion')],
  ['sha1', none(noHash)],
  ['sha256', same('sha256')],
  ['sha512', none(noHash)],
  ['signum', write('x > 0 ? 1 : (x < 0 ? -1 : 0)')],
  ['slice', write('range(from, to).map(i, list[i])')],
  ['sort', same('sort', 'Numbers are sorted as numbers, not as texts.')],
  ['split', same('split')],
  ['startswith', same('startsWith')],
  ['strcontains', write('text.contains(part)')],
  ['strrev', write('join("", reverse(split("", text)))')],
  ['substr', same('substr')],
  ['sum', same('sum')],
  [
    'templatefile',
    same(
      'templateFile',
      'A template holds `${…}` alone: `join()` and `map()` take the place of `%{ for }`.',
    ),
  ],
  ['templatestring', none('Write `${…}` in the text itself.')],
  ['textdecodebase64', write('base64Decode(text)', 'UTF-8 is the only encoding.')],
  ['textencodebase64', write('base64Encode(text)', 'UTF-8 is the only encoding.')],
  ['timeadd', same('timeAdd')],
  ['timecmp', write('timestamp(a) < timestamp(b)')],
  ['timestamp', none(noClock)],
  ['title', same('title')],
  ['tobool', write('text == "true"')],
  ['tolist', none('Sets are lists already.')],
  ['tomap', none('Maps hold values of any type.')],
  ['tonumber', write('double(text)', '`int(text)` for a whole number.')],
  ['toset', write('setUnion(list)', 'The result is a list.')],
  ['tostring', write('string(value)')],
  [
    'transpose',
    write(
      'cel.bind(all, distinct(flatten(values(map))), zipMap(all, all.map(x, keys(map).filter(k, x in map[k]))))',
    ),
  ],
  ['trim', same('trim')],
  ['trimprefix', same('trimPrefix')],
  ['trimspace', same('trim', 'It has no second argument then.')],
  ['trimsuffix', same('trimSuffix')],
  ['try', same('try')],
  ['type', write('type(value)')],
  ['upper', same('upper')],
  ['urldecode', none(noUrl)],
  ['urlencode', none(noUrl)],
  [
    'uuid',
    write('uuidV5("dns", name)', 'It is the same every time, so a second plan has no changes.'),
  ],
  ['uuidv5', same('uuidV5')],
  ['values', same('values')],
  ['yamldecode', same('yamlDecode', 'YAML 1.2: `yes` is a text, and a repeated key is an error.')],
  ['yamlencode', same('yamlEncode')],
  ['zipmap', same('zipMap')],
]);

/** Hint at the counterpart of a Terraform function; undefined for a name that Terraform does not have. */
export function hintAtTerraformFunction(name: string): string | undefined {
  const counterpart = terraformFunctions.get(name.toLowerCase());
  switch (counterpart?.kind) {
    case 'function':
      return counterpart.name.toLowerCase() === name.toLowerCase()
        ? undefined
        : `Use \`${counterpart.name}()\`, which takes the place of Terraform's \`${name}\`.`;
    case 'expression':
      return `Write \`${counterpart.write}\` in place of Terraform's \`${name}\`.`;
    case 'none':
      return `Leave it out, there is no counterpart of Terraform's \`${name}\`: ${counterpart.why}`;
    case undefined:
      return undefined;
  }
}
