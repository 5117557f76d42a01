// The layout of a YAML file: every value, comment and empty line, in their order, without the white space that a canonical
// form decides anew.

/** A comment of its own line with its `#`, or an empty line. */
export type TriviaLine = string;

/** Text that is read as one value: plain, quoted, an alias. */
export interface ScalarLayout {
  readonly kind: 'scalar';
  readonly props: readonly string[];
  readonly style: 'plain' | 'single' | 'double' | 'alias';
  /** Its lines without indentation, with its quotes. */
  readonly lines: readonly string[];
  /** The parsed text, for a value that has quotes or might need some. */
  readonly value: string;
}

/** A text over several lines, after `|` or `>`. */
export interface BlockTextLayout {
  readonly kind: 'block';
  readonly props: readonly string[];
  /** `|`, `>-`, `|+`: without its number. */
  readonly header: string;
  /** Set where the first line begins with spaces of its own, so that the header needs an indentation number. */
  readonly isIndented: boolean;
  readonly comment: string | undefined;
  readonly lines: readonly string[];
}

export interface CollectionLayout {
  readonly kind: 'map' | 'list';
  readonly props: readonly string[];
  /** Set for a collection that may stay in brackets on its line. */
  readonly isInline: boolean;
  items: readonly ItemLayout[];
  /** Comments behind the last item. */
  readonly trailing: readonly TriviaLine[];
}

export type NodeLayout = ScalarLayout | BlockTextLayout | CollectionLayout;

/** An entry of a map, or an item of a list, which has no key. */
export interface ItemLayout {
  readonly before: readonly TriviaLine[];
  readonly key: ScalarLayout | undefined;
  /** False for a key of a map in brackets that nothing follows: `{ a }`. */
  readonly hasColon: boolean;
  /** The comment behind its colon or its dash. */
  readonly head: string | undefined;
  /** Comments between that and its value, where they are not those of the value's first item. */
  readonly between: readonly TriviaLine[];
  readonly value: NodeLayout | undefined;
  /** The comment behind its value. */
  readonly tail: string | undefined;
}

export interface FileLayout {
  /** Directives, and the `---` that begins the document. */
  readonly start: readonly TriviaLine[];
  /** Comments about the file, not about its first entry. */
  header: readonly TriviaLine[];
  readonly root: NodeLayout | undefined;
  readonly tail: string | undefined;
  readonly trailing: readonly TriviaLine[];
}

/** Thrown for YAML without a canonical form: `? key`, keys over several lines. */
export class UnknownLayout extends Error {}
