// Faults of a workspace that each server refuses, beside those that the schema of the file finds.
import { isTimeZone } from '../../model/time-zones.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { findYamlMapChild, type LocatedYamlNode } from '../source/located-node.ts';
import { readNodeText } from '../source/read-fields.ts';

/**
 * Function that tells whether a text is a range of IP addresses; the caller provides it, as this folder has no code for
 * networks.
 */
export type IsIpAddressRange = (text: string) => boolean;

/** Reports invalid time zones, invalid ranges of IP addresses, and freezes that end before they begin. */
export function checkWorkspaceFields(
  workspace: LocatedYamlNode,
  isAddressRange: IsIpAddressRange,
  faults: ConfigurationFaultList,
): void {
  for (const range of listItems(workspace, 'allowProbes')) {
    const text = readNodeText(range);
    if (text !== undefined && !isAddressRange(text))
      faults.add({
        code: 'workspace-range-invalid',
        summary: `\`${makePrintable(text)}\` is no range of addresses`,
        hint: 'Write for example `10.0.0.0/8`.',
        place: range,
      });
  }
  for (const window of listItems(workspace, 'windows')) {
    const zone = findYamlMapChild(window, 'zone');
    const name = readNodeText(zone);
    if (zone && name !== undefined && !isTimeZone(name))
      faults.add({
        code: 'workspace-zone-unknown',
        summary: `There is no time zone \`${makePrintable(name)}\``,
        hint: 'Write its name in the IANA database, for example `Europe/Berlin`.',
        place: zone,
      });
  }
  for (const freeze of listItems(workspace, 'freezes')) {
    const to = findYamlMapChild(freeze, 'to');
    const [fromMs, toMs] = [findYamlMapChild(freeze, 'from'), to].map((node) =>
      Date.parse(readNodeText(node) ?? ''),
    );
    // The negated comparison also refuses a date that does not exist, as the 31st of a short month: it parses to NaN.
    if (to && fromMs !== undefined && toMs !== undefined && !(toMs > fromMs))
      faults.add({
        code: 'workspace-freeze-ended',
        summary: 'The freeze does not end after it begins',
        hint: 'Write a later moment in `to`.',
        place: to,
      });
  }
}

function listItems(workspace: LocatedYamlNode, field: string): readonly LocatedYamlNode[] {
  const node = findYamlMapChild(workspace, field);
  return node?.kind === 'list' ? node.items : [];
}
