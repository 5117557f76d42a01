/** The JSON that a program prints once it is ready. */
export class ReadyLine {
  readonly ready: Promise<Record<string, string>>;
  #printed = '';
  #done: (ready: Record<string, string>) => void = () => undefined;

  /** @param args of the program, for messages @param ended resolves when it has ended */
  constructor(args: readonly string[], ended: Promise<unknown>, complaints: () => string) {
    this.ready = new Promise((done, fail) => {
      this.#done = done;
      void ended.then(() => fail(new Error(`${args.join(' ')} ended: ${complaints()}`)));
    });
  }

  /** Takes a piece of what it prints. */
  take(text: string): void {
    this.#printed += text;
    if (!/}\n$/.test(this.#printed)) return;
    const printed = JSON.parse(this.#printed) as Record<string, string>;
    // One that failed says so in JSON too, and ends.
    if (printed['outcome'] !== 'failed') this.#done(printed);
  }
}

/** The environment of the tests, without what the program reads. */
export function kept(): Readonly<Record<string, string>> {
  const all = Object.entries(process.env).filter(([name]) => !name.startsWith('HOSTWRIGHT_'));
  return Object.fromEntries(all) as Record<string, string>;
}
