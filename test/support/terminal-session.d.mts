/** What a terminal shows when everything that was written to it was written to it. */
export declare class TerminalScreen {
  constructor(columns: number, rows: number);
  readonly text: string;
  write(text: string): Promise<void>;
  readLines(options?: { isWhole?: boolean }): string[];
  check(): void;
}
