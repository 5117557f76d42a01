// The layout of a YAML file: every value, comment and empty line, in their order, without the white space that a canonical
// form decides anew.

/** Line of a YAML file without a value: a comment with its `#`, or an empty line. */
export type YamlTriviaLine = string;

/** A scalar of YAML as it was written: plain, quoted or an alias. */
export interface YamlScalarLayout {
  readonly kind: 'scalar';
  readonly props: readonly string[];
  readonly style: 'plain' | 'single' | 'double' | 'alias';
  /** Lines of the scalar without their indentation, quotes included. */
  readonly lines: readonly string[];
  /** The parsed text, for a value that has quotes or might need some. */
  readonly value: string;
}

/** A YAML block scalar: a text over several lines after `|` or `>`. */
export interface YamlBlockTextLayout {
  readonly kind: 'block';
  readonly props: readonly string[];
  /** Indicator of the block scalar, as `|`, `>-` or `|+`, without an indentation number. */
  readonly header: string;
  /** Set where the first line begins with spaces of its own, so that the header needs an indentation number. */
  readonly isIndented: boolean;
  readonly comment: string | undefined;
  readonly lines: readonly string[];
}

export interface YamlCollectionLayout {
  readonly kind: 'map' | 'list';
  readonly props: readonly string[];
  /** Tells whether the collection may stay in brackets on one line. */
  readonly isInline: boolean;
  items: readonly YamlItemLayout[];
  /** Comments behind the last item of the collection. */
  readonly trailing: readonly YamlTriviaLine[];
}

export type YamlNodeLayout = YamlScalarLayout | YamlBlockTextLayout | YamlCollectionLayout;

/** An entry of a YAML map or an item of a list; an item has no key. */
export interface YamlItemLayout {
  readonly before: readonly YamlTriviaLine[];
  readonly key: YamlScalarLayout | undefined;
  /** Tells whether a colon follows the key; a key of a map in brackets may have none: `{ a }`. */
  readonly hasColon: boolean;
  /** Comment behind the colon of an entry or the dash of an item. */
  readonly head: string | undefined;
  /** Comments between the comment `head` and the value, unless they belong to the value's first item. */
  readonly between: readonly YamlTriviaLine[];
  readonly value: YamlNodeLayout | undefined;
  /** Comment behind the value of an entry or item, on its line. */
  readonly tail: string | undefined;
}

export interface YamlFileLayout {
  /** Lines at the top of a YAML file: directives and the `---` that begins the document. */
  readonly start: readonly YamlTriviaLine[];
  /** Comments at the top that are about the whole file, not about its first entry. */
  header: readonly YamlTriviaLine[];
  readonly root: YamlNodeLayout | undefined;
  readonly tail: string | undefined;
  readonly trailing: readonly YamlTriviaLine[];
}

/** Thrown for YAML without a canonical form: `? key`, keys over several lines. */
export class UnknownYamlLayoutError extends Error {}
