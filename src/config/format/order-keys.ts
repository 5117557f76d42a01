// The order of keys: that of the schema, as in the documentation. Chosen names, as those of resources and variables, keep
// their order.
import { assembleSchema } from '../schema/assemble-schema.ts';
import type { CollectionLayout, FileLayout, ItemLayout, NodeLayout } from './layout.ts';

type Piece = Readonly<Record<string, unknown>>;

const isPiece = (value: unknown): value is Piece =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class KeyOrder {
  readonly #definitions: Piece;
  readonly #root: Piece;

  constructor(schema: { readonly $defs: Piece }) {
    this.#root = schema;
    this.#definitions = schema.$defs;
  }

  sort(file: FileLayout): void {
    const { root, header } = file;
    if (!root) return;
    const [first] = root.kind === 'map' ? root.items : [];
    this.#sortNode(root, this.#resolve(this.#root));
    const hasMoved = root.kind === 'map' && root.items[0]?.key !== first?.key;
    // A comment about the file must not become one about its new first entry.
    if (hasMoved && header.length > 0 && header.at(-1) !== '') file.header = [...header, ''];
  }

  /** A schema and all schemas that it refers to or combines: the keys of any of them are valid. */
  #resolve(piece: unknown): readonly Piece[] {
    if (!isPiece(piece)) return [];
    const { $ref, anyOf, oneOf, allOf } = piece;
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
    const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
    return [
      piece,
      ...(name === undefined ? [] : this.#resolve(this.#definitions[name])),
      ...parts.flatMap((part) => this.#resolve(part)),
    ];
  }

  #sortNode(node: NodeLayout, pieces: readonly Piece[]): void {
    if (node.kind === 'list') {
      const items = pieces.flatMap(({ items: of }) => this.#resolve(of));
      for (const { value } of node.items) if (value) this.#sortNode(value, items);
    }
    if (node.kind !== 'map') return;
    for (const { key, value } of node.items) {
      if (value) this.#sortNode(value, this.#childOf(pieces, key?.value ?? ''));
    }
    sortItems(node, [
      ...new Set(
        pieces.flatMap(({ properties }) => Object.keys(isPiece(properties) ? properties : {})),
      ),
    ]);
  }

  #childOf(pieces: readonly Piece[], key: string): readonly Piece[] {
    return pieces.flatMap(({ properties, additionalProperties }) => {
      const own =
        isPiece(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
      return this.#resolve(own ?? additionalProperties);
    });
  }
}

/** Puts the items in the order of the names, where it has all of them. */
function sortItems(node: CollectionLayout, names: readonly string[]): void {
  const rank = new Map(names.map((name, index) => [name, index]));
  const rankOf = ({ key }: ItemLayout) => rank.get(key?.value ?? '');
  if (node.items.some((item) => rankOf(item) === undefined)) return;
  const sorted = node.items.toSorted((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
  const [formerFirst] = node.items;
  const [first] = sorted;
  if (!first || !formerFirst || first === formerFirst) {
    node.items = sorted;
    return;
  }
  // The new first item has no empty line above it; the former first one gets the one that it had.
  const hasBlank = first.before[0] === '';
  node.items = sorted.map((item) => {
    if (item === first && hasBlank) return { ...item, before: item.before.slice(1) };
    return item === formerFirst && hasBlank ? { ...item, before: ['', ...item.before] } : item;
  });
}

let order: KeyOrder | undefined;

/** Puts the keys of a configuration in order; a map with a key that the schema does not have stays as it is. */
export function orderKeys(file: FileLayout): void {
  order ??= new KeyOrder(assembleSchema());
  order.sort(file);
}
