import type { ServiceContract } from './contract/contract-file.ts';
import type { SandboxTokenRow } from './store/rows.ts';
import type { SandboxContext } from './store/world.ts';

/** Request for an operation of an extension, authorized and validated against the extension's paths. */
export interface SandboxExtensionCall extends SandboxContext {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly token: SandboxTokenRow;
}

/** Operations that a sandbox serves beside those of the contract. Their routes are part of the common table of routes. */
export interface SandboxExtension {
  /** Paths of the extension in the form of the contract: requests and answers are checked against them. */
  readonly paths: ServiceContract['paths'];
  /** Handlers of the operations by id: each returns the body of its success, or throws a `RequestRefusal`. */
  readonly handlers: Readonly<Record<string, (call: SandboxExtensionCall) => unknown>>;
}
