// Services that call some of their things by words that no table has.
import type { FieldBindingLine } from '../../../src/model/account/binding.ts';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import { enumWords, recordShapes } from '../../../src/api/contract/shapes.ts';
import type { RandomDialect } from './random-dialect.ts';

/** Words of other languages and of nobody's, none of which the vocabulary has. */
const foreign =
  'makine verkko osoite tilaus levykuva koko avain varmuus ohjaus vihje sopimus paasy kiintio tili kone kiste berth grain realm parcel vessel outpost gantry quay skiff tarn brume lacet orme vitrine etui couloir kestrel marl sluice'.split(
    ' ',
  );

/** The same dialect, in which `count` of its names are foreign: parts of paths, members, and words of enums. */
export function spellForeign(
  { binding, style }: RandomDialect,
  random: () => number,
  count: number,
): RandomDialect {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const left = [...foreign];
  const take = () => left.splice(Math.floor(random() * left.length), 1)[0] ?? 'quux';
  const { fields = {}, enums = {} } = structuredClone(binding);
  const operations: Partial<Record<OperationId, string>> = { ...binding.operations };
  const lineOf = (operation: OperationId) =>
    operations[operation] ?? `${routes[operation].method} ${routes[operation].path}`;
  const ids = Object.keys(routes) as OperationId[];
  for (let done = 0; done < count; done += 1) {
    const kind = random();
    if (kind < 0.5) {
      const [, path = ''] = lineOf(pick(ids)).split(' ');
      const part = pick(path.split('/').filter((one) => one !== '' && !one.startsWith('{')));
      const word = take();
      for (const id of ids) {
        const parts = lineOf(id).split('/');
        if (parts.includes(part))
          operations[id] = parts.map((one) => (one === part ? word : one)).join('/');
      }
    } else if (kind < 0.85) {
      const record = pick(
        Object.keys(recordShapes).filter((one) => !/Create$|Update$|Request$|roblem/.test(one)),
      );
      const name = pick(Object.keys(recordShapes[record] ?? {}));
      if (['id', 'name', 'status'].includes(name)) continue;
      const lines: Record<string, FieldBindingLine> = { ...fields[record], [name]: `/${take()}` };
      Object.assign(fields, { [record]: lines });
    } else {
      const name = pick(Object.keys(enumWords));
      const words: Record<string, string | readonly string[]> = {
        ...enums[name],
        [pick(enumWords[name] ?? [])]: take(),
      };
      Object.assign(enums, { [name]: words });
    }
  }
  return { binding: { ...binding, operations, fields, enums }, style };
}
