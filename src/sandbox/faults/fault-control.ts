// Everything that goes wrong on purpose, around one service: what the script says, what it has done, and its
// replacement while the sandbox runs. Without a script it costs a request nothing.

import type { SandboxAnswer, SandboxRequest } from '../contract/answer.ts';
import type { RehearsedFault } from '../../model/plan/rehearsal.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import type { SandboxService } from '../service.ts';
import type { ConsoleEditOutcome } from './editor.ts';
import { ConsoleEditor } from './editor.ts';
import type { FaultOutcome } from './fault-outcome.ts';
import { RequestFaultDecider } from './fault-desk.ts';
import type { FaultTimer } from './meet-faults.ts';
import { applyRequestFaults } from './meet-faults.ts';
import type { ConsoleEdit, FaultScript } from './script.ts';
import type { KnownVmSizes } from './script-reader.ts';

/** A fault that the sandbox has played, for the log of the admin port. */
export type FaultEvent =
  | {
      readonly kind: 'struck';
      readonly at: number;
      readonly rules: readonly string[];
      readonly method: string;
      readonly path: string;
    }
  | ({ readonly kind: 'edit' } & ConsoleEditOutcome);

interface FaultSetup {
  readonly script: FaultScript;
  readonly seed: number;
  readonly service: SandboxService;
  readonly now: () => number;
  readonly waiting: FaultTimer;
  readonly onFault: (event: FaultEvent) => void;
}

/** The most fault events that are kept for the admin port. */
const keptEvents = 1000;

export class FaultControl {
  readonly #setup: FaultSetup;
  readonly #desk: RequestFaultDecider;
  readonly #editor: ConsoleEditor;
  readonly #events: FaultEvent[] = [];

  constructor(setup: FaultSetup) {
    const { script, seed, service, now } = setup;
    this.#setup = setup;
    this.#desk = new RequestFaultDecider(script, seed, now());
    this.#editor = new ConsoleEditor(service);
    this.#editor.start(script, now());
  }

  get script(): FaultScript {
    return this.#desk.script;
  }

  /** Sizes of VM that the account has. */
  get sizes(): KnownVmSizes {
    return this.#setup.service.world().rules.catalog.configurations;
  }

  /** True where nothing goes wrong, and nobody else edits the account. */
  get isIdle(): boolean {
    const { rules, edits } = this.#desk.script;
    return rules.length === 0 && edits.length === 0;
  }

  /** Rules with their counts: requests that each was about, and strikes. */
  get tallies(): RequestFaultDecider['tallies'] {
    return this.#desk.tallies;
  }

  /** The latest fault events, oldest first. */
  get events(): readonly FaultEvent[] {
    return this.#events;
  }

  /** Counts of the script's rules, then of its edits: strikes so far, or the reason for none. */
  count(): readonly RehearsedFault[] {
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
  perform(edit: ConsoleEdit): ConsoleEditOutcome {
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

  /** Answers a request with the faults that the script has for it; `path` is relative to the base address. @throws ConnectionDroppedError */
  async answer(
    { method, abandoned }: SandboxRequest,
    path: string,
    process: (outcome: FaultOutcome) => Promise<SandboxAnswer>,
  ): Promise<{ answer: SandboxAnswer; struck: readonly string[] }> {
    const { now, waiting } = this.#setup;
    this.runEdits();
    const encounter = this.#desk.meet(method, path, now());
    const { struck } = encounter;
    if (struck.length > 0) this.#tell({ kind: 'struck', at: now(), rules: struck, method, path });
    try {
      const answer = await applyRequestFaults(
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

  #tell(event: FaultEvent): void {
    this.#events.push(event);
    if (this.#events.length > keptEvents) this.#events.shift();
    this.#setup.onFault(event);
  }
}

const explainSpared = (seen: number): string =>
  `${formatCountWithNoun('request', seen)} matched, and its counts and chances spared all of them`;
