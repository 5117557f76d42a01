/** Colours and weights as functions over text. Given in, so that nothing here asks whether there is a terminal. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly magenta: (text: string) => string;
}

/** What a text is drawn for. */
export interface Layout {
  /** Width in terminal cells; `Infinity` wraps and cuts nothing. */
  readonly columns: number;
  readonly style: Style;
  /** What a line may take before it is broken: the width of a terminal; absent where lines stay whole for programs. */
  readonly room?: number;
  /** True: where there is no error, warnings and notes are a line each. */
  readonly isCompact?: boolean;
  /** True: every change is shown on its own, equal ones too. */
  readonly isVerbose?: boolean;
  /** True: of what comes or goes whole each line has its symbol, also those that only go on or close. */
  readonly marksEveryLine?: boolean;
}

/** ANSI sequences, or nothing at all. Dim is the dark grey that Terraform uses, so that it nests with bold. */
export function createStyle(hasColor: boolean): Style {
  const paint = (open: number, close: number) =>
    hasColor ? (text: string) => `\u001b[${open}m${text}\u001b[${close}m` : (text: string) => text;
  return {
    bold: paint(1, 22),
    dim: paint(90, 39),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    magenta: paint(35, 39),
  };
}
