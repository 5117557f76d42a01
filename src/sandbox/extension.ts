import type { ServiceContract } from './contract/contract-file.ts';
import type { SandboxTokenRow } from './store/rows.ts';
import type { SandboxContext } from './store/world.ts';

/** A request for an operation of an extension, authorized and judged by what its paths say. */
export interface SandboxExtensionCall extends SandboxContext {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly token: SandboxTokenRow;
}

/** Operations beside those of the contract. Their routes stand in the table of routes, as all do. */
export interface SandboxExtension {
  /** Paths of the extension in the form of the contract: requests and answers are checked against them. */
  readonly paths: ServiceContract['paths'];
  /** Handlers of the operations by id: each returns the body of its success, or throws a `RequestRefusal`. */
  readonly handlers: Readonly<Record<string, (call: SandboxExtensionCall) => unknown>>;
}
