/**
 * Colours and weights as functions over text. The caller provides them, so that nothing in this folder asks whether
 * there is a terminal.
 */
export interface TextStyle {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly magenta: (text: string) => string;
}

/** Layout of a text: its width, its colours, and how much is shown. */
export interface TextLayout {
  /** Width of the output in terminal cells; `Infinity` to wrap and cut nothing. */
  readonly columns: number;
  readonly style: TextStyle;
  /** Width at which a line is broken, in terminal cells; absent where lines stay whole for programs. */
  readonly room?: number;
  /** Set to draw warnings and notes in a line each, where there is no error. */
  readonly isCompact?: boolean;
  /** Set to show every change on its own, equal changes of instances too. */
  readonly isVerbose?: boolean;
  /**
   * Set to put a symbol on every line of a value that comes or goes whole, also on lines that only continue or close
   * it.
   */
  readonly marksEveryLine?: boolean;
}

/** ANSI sequences, or nothing at all. Dim is the dark grey that Terraform uses, so that it nests with bold. */
export function createAnsiStyle(hasColor: boolean): TextStyle {
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
