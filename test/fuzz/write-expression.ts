import { functionsByName } from '../../src/expressions/functions/catalogue.ts';
import type { Dice } from '../scenario/simulation/dice.ts';

const names = [
  ...['var.env', 'var.size', 'var.secret', 'var.zones', 'var.settings', 'var.settings.b', 'var'],
  ...[
    'local.prefix',
    'local.ports',
    'local.hidden',
    'local.late',
    'local',
    'each.key',
    'each.index',
  ],
  ...[
    'each.value',
    'each',
    'path.module',
    'account',
    'account.locale',
    'projects',
    'projects.shop',
  ],
  ...['projects.shop.vms', 'projects.shop.vms.web', 'projects.shop.vms.web[0].name', 'modules'],
  ...[
    'projects.shop.publicIps.edge.address',
    'projects.shop.networks.backend.cidr',
    'modules.inner',
  ],
  ...['projects.shop.vms.db["a"].id', 'modules.inner["eu"].outputs', 'a', 'b', 'x', 'after.ram'],
  ...['before', 'action', '__proto__', 'constructor', 'toString', 'local.__proto__', 'vAr', 'null'],
];
const literals = [
  ...[
    '0',
    '1',
    '-1',
    '2',
    '9223372036854775807',
    '9223372036854775808',
    '1e308',
    '1.5',
    '0.0',
    '5u',
  ],
  ...[
    '""',
    '"a"',
    "'b'",
    '"\\n"',
    '"\\u0000"',
    '"\\ud800"',
    'r"\\d+"',
    '"(a+)+$"',
    'b"ab"',
    'true',
  ],
  ...[
    'false',
    'null',
    '[]',
    '{}',
    '[1, 2, 3]',
    '["a", "b"]',
    '{"a": 1}',
    '{"__proto__": 1}',
    '{1: 2}',
  ],
  ...[
    '"10.0.0.0/8"',
    '"fd00::/8"',
    '"2026-01-01T00:00:00Z"',
    '"5s"',
    '"%s %d %5.2f %%"',
    '"{}"',
    '"["',
  ],
  ...['"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"', '"é\\u202e"', '"12345678901234567890"'],
];
const binary = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const functions = [
  ...[
    'size',
    'int',
    'uint',
    'double',
    'string',
    'bytes',
    'bool',
    'type',
    'dyn',
    'timestamp',
    'duration',
  ],
  ...functionsByName.keys(),
  ...['has', 'nope'],
];
const methods = [
  ...[
    'startsWith',
    'endsWith',
    'contains',
    'matches',
    'size',
    'split',
    'join',
    'lowerAscii',
    'trim',
  ],
  ...[
    'upperAscii',
    'substring',
    'indexOf',
    'replace',
    'getFullYear',
    'getSeconds',
    'nope',
    'json',
    'at',
  ],
];
const macros = ['map', 'filter', 'all', 'exists', 'exists_one'];

/** An expression, well formed more often than not. */
export function writeExpression(dice: Dice, depth = 4): string {
  const inner = () => writeExpression(dice, depth - 1);
  if (depth <= 0 || dice.chance(0.25)) return dice.pick(dice.chance(0.5) ? names : literals);
  const some = (most: number) => Array.from({ length: dice.below(most + 1) }, inner).join(', ');
  switch (dice.below(11)) {
    case 0:
    case 1:
      return `${inner()} ${dice.pick(binary)} ${inner()}`;
    case 2:
      return `(${inner()})`;
    case 3:
      return `${inner()} ? ${inner()} : ${inner()}`;
    case 4:
      return `${dice.pick(functions)}(${some(3)})`;
    case 5:
      return `${inner()}.${dice.pick(methods)}(${some(2)})`;
    case 6:
    case 7:
      return `${inner()}.${dice.pick(macros)}(${dice.pick(['a', 'b', 'x'])}, ${inner()})`;
    case 8:
      return `[${some(4)}]`;
    case 9:
      return `cel.bind(${dice.pick(['a', 'b'])}, ${inner()}, ${inner()})`;
    default:
      return `${inner()}${dice.pick(['[0]', '["a"]', '.name', '[-1]', `[${inner()}]`, '.?x', '[?0]'])}`;
  }
}

/** Expressions that cost as much as they can. */
export function writeCostly(dice: Dice): string {
  const list = dice.pick(['[0,1,2,3,4,5,6,7,8,9]', 'local.ports', '"a,b,c,d,e,f".split(",")']);
  const levels = 3 + dice.below(5);
  const core = dice.pick([
    ...['a', 'a + a', '"x" + string(a)', '[a, a]', '{"k": a}', 'string(a).matches("(a*)*b")'],
    ...['bytes("xxxxxxxxxxxxxxxx")', 'format("%s%s%s", a, a, a)', '[[a], [a]] == [[a], [a]]'],
  ]);
  if (dice.chance(0.5)) {
    return Array.from({ length: levels }).reduce<string>((all) => `${list}.map(a, ${all})`, core);
  }
  const double = dice.pick(['a + a', '[a, a]', '{"l": a, "r": a}', 'a + "," + a']);
  const first = dice.pick(['"xxxxxxxxxxxxxxxx"', '[1, 2, 3]', 'bytes("xxxx")', '1', '1.0', list]);
  return Array.from({ length: 5 + dice.below(40) }).reduce<string>(
    (all) => `cel.bind(a, ${all}, ${double})`,
    first,
  );
}
