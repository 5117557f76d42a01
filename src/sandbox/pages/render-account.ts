import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { html, type SafeHtml } from '../../model/text/html.ts';
import type { SandboxAccountView, CountedProjectContents } from './account-view.ts';

type ProjectView = SandboxAccountView['projects'][number];
type VmCounts = SandboxAccountView['vmCounts'];

/** Renders the part of the live page that changes. */
export function renderSandboxAccountView(view: SandboxAccountView): string {
  const { quotas, projects, projectCount, operations, operationCount, notifications } = view;
  const more = projectCount - projects.length;
  const none = html`<p class="none">No project yet. "hostwright apply" or a request to the API creates one.</p>`;
  return html`<p class="sum" data-sum>${summarize(view)}</p>
    <section aria-labelledby="quotas">
      <h2 id="quotas">Quotas</h2>
      <ul class="gauges">${quotas.map(renderQuota)}</ul>
    </section>
    <section aria-labelledby="running">
      <h2 id="running">Operations under way <small>${operationCount}</small></h2>
      ${renderOperations(operations)}
    </section>
    <section aria-labelledby="projects">
      <h2 id="projects">Projects <small>${projectCount}</small></h2>
      ${projects.length === 0 ? none : projects.map(renderProject)}
      ${renderMore(more, 'older project')}
    </section>
    <section aria-labelledby="news">
      <h2 id="news">Newest notifications</h2>
      ${renderNotifications(notifications)}
    </section>`.markup;
}

/** Line on the number of rows that are not shown; empty for none. */
function renderMore(count: number, noun: string): SafeHtml {
  const words = `${formatCountWithNoun(noun, count)} ${count === 1 ? 'is' : 'are'} not shown.`;
  return html`${count > 0 && html`<p class="none">${words}</p>`}`;
}

/** `27 VMs, 25 running, 1 failed`: what there is none of is left out. */
function countVms({ total, running, stopped, failed }: VmCounts): string {
  const parts = Object.entries({ running, stopped, failed })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  return [formatCountWithNoun('VM', total), ...parts].join(', ');
}

function summarize({ vmCounts, projectCount, operationCount }: SandboxAccountView): string {
  const work =
    operationCount === 0 ? 'No operation' : formatCountWithNoun('operation', operationCount);
  return `${formatCountWithNoun('project', projectCount)}. ${countVms(vmCounts)}. ${work} under way.`;
}

const quotaLabels: Readonly<
  Record<SandboxAccountView['quotas'][number]['name'], readonly [label: string, unit: string]>
> = {
  projects: ['Projects', ''],
  accessTokens: ['Access tokens', ''],
  networks: ['Networks', ''],
  publicIps: ['Public IPs', ''],
  cpu: ['VM cores', ''],
  ram: ['VM memory', ' GB'],
  disk: ['VM disks', ' GB'],
};

function renderQuota({ name, used, limit }: SandboxAccountView['quotas'][number]): SafeHtml {
  const [label, unit] = quotaLabels[name];
  const share = limit === 0 ? 1 : used / limit;
  const state = share >= 1 ? 'full' : share >= 0.9 ? 'short' : 'fine';
  const note = state !== 'fine' && ` (${state})`;
  return html`<li class="gauge ${state}">
    <span>${label}</span>
    <span class="figures">${used} of ${limit}${unit}${note}</span>
    <div role="meter" aria-label="${label}" aria-valuemin="0" aria-valuemax="${Math.max(1, limit)}" aria-valuenow="${used}" class="bar"><i style="width: ${Math.min(100, Math.round(share * 100))}%"></i></div>
  </li>`;
}

function renderOperations(operations: SandboxAccountView['operations']): SafeHtml {
  if (operations.length === 0) return html`<p class="none">No operation is under way.</p>`;
  const heads = ['Operation', 'Of', 'Project', 'Progress', 'Time'];
  const rows = operations.map(
    ({ type, resource, project, share, remainingMs, isQueued }) => html`<tr>
      <th scope="row">${type}</th>
      <td>${resource}</td>
      <td>${project}</td>
      <td><progress aria-label="${type} of ${resource}" max="100" value="${Math.floor(share * 100)}"></progress></td>
      <td>${isQueued ? 'queued' : `${Math.ceil(remainingMs / 1000)} s left`}</td>
    </tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="Operations under way">
    <table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

function renderProject({ id, name, vmCounts, counts, vms }: ProjectView): SafeHtml {
  const nouns: Readonly<Record<CountedProjectContents, string>> = {
    networks: formatCountWithNoun('network', counts.networks),
    publicIps: formatCountWithNoun('public IP', counts.publicIps),
    sshKeys: formatCountWithNoun('SSH key', counts.sshKeys),
  };
  const held = Object.values(nouns).join(', ');
  return html`<article aria-label="Project ${name}">
    <h3>${name} <code>${id}</code></h3>
    <p class="held">${countVms(vmCounts)}</p>
    <p class="held">${held}</p>
    ${vms.length > 0 && html`<ul class="vms">${vms.map(renderVm)}</ul>`}
    ${renderMore(vmCounts.total - vms.length, 'older VM')}
  </article>`;
}

function renderVm({
  id,
  name,
  status,
  bootStatus,
  size,
  image,
}: ProjectView['vms'][number]): SafeHtml {
  const isStopped = status === 'active' && bootStatus === 'Stopped';
  return html`<li class="vm ${status}${isStopped && ' stopped'}">
    <strong>${name}</strong>
    <span class="state">${status}, ${bootStatus.toLowerCase()}</span>
    <span>${size}</span>
    <span>${image} <code>${id}</code></span>
  </li>`;
}

function renderNotifications(notifications: SandboxAccountView['notifications']): SafeHtml {
  if (notifications.length === 0) return html`<p class="none">No notification yet.</p>`;
  const items = notifications.map(({ kind, title, message, at, isRead }) => {
    const time = new Date(at).toISOString();
    return html`<li class="${kind}${isRead && ' read'}">
      <time datetime="${time}">${time.slice(11, 19)} UTC</time>
      <strong>${kind === 'quotaLow' && `${title}. `}${message}</strong>
    </li>`;
  });
  return html`<ul class="news">${items}</ul>`;
}
