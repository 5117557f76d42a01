import type { CheckResult } from '../../model/plan/check-result.ts';

/** One entry of `checks` in Terraform's representation. */
export interface CheckJson {
  readonly address: {
    readonly kind: 'check';
    readonly name: string;
    /** The module that it stands in; absent outside of modules. */
    readonly module?: string;
    readonly to_display: string;
  };
  readonly status: CheckResult['status'];
  readonly instances: readonly {
    readonly address: { readonly to_display: string; readonly module?: string };
    readonly status: CheckResult['status'];
    readonly problems?: readonly { readonly message: string }[];
  }[];
}

/** Draws how a check turned out. A check has one instance: itself. */
export function describeCheck({ name, status, problems }: CheckResult): CheckJson {
  const at = name.lastIndexOf('.');
  const own = name.slice(at + 1);
  const module = at < 0 ? {} : { module: name.slice(0, at) };
  const display = `${name.slice(0, at + 1)}checks.${own}`;
  const messages = problems.map((message) => ({ message }));
  return {
    address: { kind: 'check', name: own, ...module, to_display: display },
    status,
    instances: [
      {
        address: { to_display: display, ...module },
        status,
        ...(messages.length > 0 && { problems: messages }),
      },
    ],
  };
}
