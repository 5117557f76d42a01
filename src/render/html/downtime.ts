import type { MemberOutage } from '../../model/plan/downtime.ts';
import { groupBy } from '../../model/group-by.ts';
import { html, emptyHtml, type Html } from '../../model/text/html.ts';
import { formatElapsed, formatMoment } from '../format/elapsed.ts';
import type { DowntimeView } from '../view/downtime-view.ts';
import { placeBar } from '../view/fold-timeline.ts';
import { renderAddress, renderColumnHead, type ChangeAnchors } from './changes.ts';

/** Most rows of the table: nobody reads more one by one. */
const mostRows = 200;
/** A table with more rows scrolls in a box of its own. */
const fewRows = 30;

const lost = { power: 'does not run', attachment: 'no network' } as const;

/** Downtime of a plan: its sentences, and a row for each VM on one time scale. */
export function renderDowntime(downtime: DowntimeView | undefined, anchors: ChangeAnchors): Html {
  if (!downtime) return emptyHtml;
  const { title, rows, members } = downtime;
  const vms = [...groupBy(members, ({ address }) => address)];
  const words = rows
    .slice(0, mostRows)
    .map(({ label, text }) => html`<dt><code>${label}</code></dt><dd>${text}</dd>`);
  return html`<section aria-labelledby="downtime"><h2 id="downtime">Downtime</h2><p class="closing-verdict bad">${title}</p><dl class="words">${words}</dl>${renderMore(rows.length)}${vms.length > 0 && renderVms(vms, downtime, anchors)}</section>`;
}

const renderMore = (all: number): Html =>
  all > mostRows ? html`<p>and ${all - mostRows} more</p>` : emptyHtml;

function renderVms(
  vms: readonly (readonly [string, readonly MemberOutage[]])[],
  { endMs, members }: DowntimeView,
  anchors: ChangeAnchors,
): Html {
  // The bar of an outage without an end is drawn beyond the end of all others.
  const isOpen = members.some((one) => one.endMs === null);
  const endedAt = Math.max(1, isOpen ? endMs * 1.1 : endMs);
  const heads = ['Resource', 'Meanwhile', 'From', 'For', 'From the beginning of the apply'];
  return html`<div class="scroll${vms.length > fewRows && ' long'}" tabindex="0" role="group" aria-label="Timeline of the downtime"><table class="times"><thead><tr>${heads.map(renderColumnHead)}</tr></thead><tbody>${vms.slice(0, mostRows).map(([address, outages]) => renderVm(address, outages, { endedAt, anchors }))}</tbody></table></div>${renderMore(vms.length)}`;
}

function renderVm(
  address: string,
  outages: readonly MemberOutage[],
  { endedAt, anchors }: { endedAt: number; anchors: ChangeAnchors },
): Html {
  const scale = { startedAt: 0, endedAt };
  const bars = outages.map((one) => {
    const bar = { startedAt: one.startMs, endedAt: one.endMs ?? endedAt };
    const { from, width } = placeBar(bar, scale);
    return html`<rect class="run failed" x="${from}" y="1" width="${width}" height="12"/>`;
  });
  const list = (word: (one: MemberOutage) => string) => outages.map(word).join(', ');
  const length = ({ startMs, endMs }: MemberOutage) =>
    endMs === null ? 'no end' : formatElapsed(endMs - startMs);
  return html`<tr><th scope="row">${renderAddress(address, anchors)}</th><td>${list(({ loses }) => lost[loses])}</td><td>${list(({ startMs }) => formatMoment(startMs))}</td><td>${list(length)}</td><td class="bar"><svg aria-hidden="true" viewBox="0 0 1000 14" preserveAspectRatio="none"><rect class="wait" x="0" y="5" width="1000" height="4"/>${bars}</svg></td></tr>`;
}
