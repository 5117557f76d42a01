import { listLateFields } from '../kinds/late-fields.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Check } from './check.ts';

/** Says of which fields nothing can be proved, because their values are only known after apply. */
export const noteLate: Check = ({ plan }) => {
  const late = plan.changes.flatMap((change) =>
    listLateFields(change).map((name) => ({ address: change.address, name })),
  );
  if (late.length === 0) return [];
  const sized = late.filter(({ name }) => name === 'configuration');
  return [
    ...(sized.length === 0 ? [] : [warnOfSizes(sized.map(({ address }) => address))]),
    {
      severity: 'note',
      code: 'checked-on-apply',
      summary: `${late.length === 1 ? 'A value is' : `${late.length} values are`} only known after apply, and can only be checked then`,
      detail: `${late.length === 1 ? 'It is' : 'They are'}: ${listSome(late.map(({ address, name }) => `${address}.${name}`))}. A change whose value does not fit fails before its request goes out.`,
    },
  ];
};

function warnOfSizes(addresses: readonly string[]): Finding {
  return {
    severity: 'warning',
    code: 'size-known-on-apply',
    summary: 'The quotas are measured without VMs whose configuration is only known after apply',
    detail: `Without ${listSome(addresses)}.`,
    hint: 'Write their configuration out to have the plan proved.',
  };
}

function listSome(all: readonly string[]): string {
  const shown = all.slice(0, 5).join(', ');
  return all.length > 5 ? `${shown} and ${all.length - 5} more` : shown;
}
