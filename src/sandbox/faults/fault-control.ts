// Everything that goes wrong on purpose, around one service: what the script says, what it has done, and its
// replacement while the sandbox runs. Without a script it costs a request nothing.

import type { SandboxAnswer, SandboxRequest } from '../contract/answer.ts';
import type { RehearsedInjectedFault } from '../../model/plan/rehearsal.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import type { SandboxService } from '../service.ts';
import type { WebConsoleEditOutcome } from './editor.ts';
import { WebConsoleEditor } from './editor.ts';
import type { InjectedFaultEffects } from './fault-outcome.ts';
import { InjectedFaultDecider } from './fault-desk.ts';
import type { InjectedFaultTimer } from './meet-faults.ts';
import { applyInjectedFaults } from './meet-faults.ts';
import type { WebConsoleEdit, FaultScript } from './script.ts';
import type { FaultScriptVmSizes } from './script-reader.ts';

/** Fault that the sandbox has injected, for the log of the admin port. */
export type InjectedFaultEvent =
  | {
      readonly kind: 'struck';
      readonly at: number;
      readonly rules: readonly string[];
      readonly method: string;
      readonly path: string;
    }
  | ({ readonly kind: 'edit' } & WebConsoleEditOutcome);

interface FaultSetup {
  readonly script: FaultScript;
  readonly seed: number;
  readonly service: SandboxService;
  readonly now: () => number;
  readonly waiting: InjectedFaultTimer;
  readonly onFault: (event: InjectedFaultEvent) => void;
}

/** The most fault events that are kept for the admin port. */
const keptEvents = 1000;

export class InjectedFaultControl {
  readonly #setup: FaultSetup;
  readonly #desk: InjectedFaultDecider;
  readonly #editor: WebConsoleEditor;
  readonly #events: InjectedFaultEvent[] = [];

  constructor(setup: FaultSetup) {
    const { script, seed, service, now } = setup;
    this.#setup = setup;
    this.#desk = new InjectedFaultDecider(script, seed, now());
    this.#editor = new WebConsoleEditor(service);
    this.#editor.start(script, now());
  }

  get script(): FaultScript {
    return this.#desk.script;
  }

  /** Sizes of VM that the account has. */
  get sizes(): FaultScriptVmSizes {
    return this.#setup.service.world().rules.catalog.configurations;
  }

  /** Tells whether the script injects no faults and makes no edits. */
  get isIdle(): boolean {
    const { rules, edits } = this.#desk.script;
    return rules.length === 0 && edits.length === 0;
  }

  /** Lists the fault rules with the numbers of requests that each matched and struck. */
  get tallies(): InjectedFaultDecider['tallies'] {
    return this.#desk.tallies;
  }

  /** The latest fault events, oldest first. */
  get events(): readonly InjectedFaultEvent[] {
    return this.#events;
  }

  /** Counts how often each rule of the script struck, then how often each edit was made, with the reason where it never was. */
  count(): readonly RehearsedInjectedFault[] {
    const rules = this.tallies.map(({ rule: { name }, seen, struck }) => ({
      name,
      count: struck,
      ...(struck === 0 && {
        why: seen === 0 ? 'no request matched its `when`' : explainSpared(seen),
      }),
    }));
    return [...rules, ...this.#editor.count()];
  }

  /** Replaces the fault script; all counts start anew. */
  restart(script: FaultScript): void {
    const now = this.#setup.now();
    this.#desk.restart(script, now);
    this.#editor.start(script, now);
  }

  /** Makes a scripted edit at once. */
  perform(edit: WebConsoleEdit): WebConsoleEditOutcome {
    const outcome = this.#editor.perform(edit, this.#setup.now());
    this.#tell({ kind: 'edit', ...outcome });
    return outcome;
  }

  /** Makes the scripted edits that are due. */
  runEdits(): void {
    for (const outcome of this.#editor.runDue(this.#setup.now(), this.#desk.requests)) {
      if (!outcome.waits) this.#tell({ kind: 'edit', ...outcome });
    }
  }

  /**
   * Answers a request, with the faults that the script injects into it; `path` is relative to the base address. @throws
   * ConnectionDroppedError
   */
  async answer(
    { method, abandoned }: SandboxRequest,
    path: string,
    process: (outcome: InjectedFaultEffects) => Promise<SandboxAnswer>,
  ): Promise<{ answer: SandboxAnswer; struck: readonly string[] }> {
    const { now, waiting } = this.#setup;
    this.runEdits();
    const encounter = this.#desk.meet(method, path, now());
    const { struck } = encounter;
    if (struck.length > 0) this.#tell({ kind: 'struck', at: now(), rules: struck, method, path });
    try {
      const answer = await applyInjectedFaults(
        encounter,
        () => process(encounter.outcome),
        waiting,
        abandoned,
      );
      return { answer, struck };
    } finally {
      this.runEdits();
    }
  }

  #tell(event: InjectedFaultEvent): void {
    this.#events.push(event);
    if (this.#events.length > keptEvents) this.#events.shift();
    this.#setup.onFault(event);
  }
}

const explainSpared = (seen: number): string =>
  `${formatCountWithNoun('request', seen)} matched, and its counts and chances spared all of them`;
