import { html, type SafeHtml } from '../../../model/text/html.ts';
import type { GivenUpMessageJson, MessageTargetJson } from '../../api/message-routes.ts';
import { messageEvents } from '../../store/message-target.ts';
import {
  renderEmptyList,
  renderFactList,
  renderForm,
  renderSelectOptions,
  renderFormRefusal,
  renderPageTable,
  renderTextField,
} from '../parts/elements.ts';
import { formatGroupedCount, renderTimeAgo } from '../parts/words.ts';

/** Values of a refused form, to be shown again; the address is left out, as it may be a secret. */
export interface MessageTargetFormFields {
  readonly name: string;
  readonly kind: string;
  readonly workspaces: string;
  /** Names of the events that were chosen; undefined for all. */
  readonly events: readonly string[] | undefined;
}

/** Content of the page of messages. */
export interface MessagesPageView {
  readonly targets: readonly MessageTargetJson[];
  /** Messages that could not be delivered. */
  readonly messages: readonly GivenUpMessageJson[];
  /** Message target that was just added, whose secret is shown once. */
  readonly made: MessageTargetJson | undefined;
  readonly fields: MessageTargetFormFields;
  readonly fault: string | undefined;
  readonly formToken: string;
  readonly now: number;
}

const kinds = { webhook: 'Webhook', slack: 'Slack', email: 'E-mail' } as const;
const events: Readonly<Record<string, string>> = {
  'drift.began': 'Drift began',
  'drift.changed': 'Drift changed',
  'drift.ended': 'Drift ended',
  'run.failed': 'A run failed',
  'run.applied': 'A plan was applied',
  'plan.waiting': 'A plan waits for somebody',
  test: 'Test',
};

/** Renders the message targets, the messages that could not be delivered, and the form for a new target. */
export function renderMessagesPage(view: MessagesPageView): SafeHtml {
  const { targets, messages, made, fault } = view;
  const none = renderEmptyList(
    html`<p>No messages are sent yet. Add a webhook, a channel of Slack, or an address of e-mail.</p>`,
  );
  return html`<h1>Messages</h1>
    ${renderFormRefusal(fault)}
    ${made?.secret !== undefined && renderMade(made.name, made.secret)}
    ${targets.length === 0 ? none : targets.map((one) => renderTarget(one, view))}
    ${messages.length > 0 && renderDead(view)} ${renderNew(view)}`;
}

function renderMade(name: string, secret: string): SafeHtml {
  return html`<div class="callout warn" role="status">
    <p><b>Copy the secret of ${name} now.</b> It is shown this once. It signs each message: <code>${secret}</code></p>
  </div>`;
}

function renderTarget(target: MessageTargetJson, { formToken, now }: MessagesPageView): SafeHtml {
  const { name, kind, site, workspaces, createdAt } = target;
  const act = (action: string, content: SafeHtml) =>
    renderForm(`/message-targets/${name}/${action}`, formToken, content);
  const facts = {
    Kind: kinds[kind],
    [kind === 'email' ? 'Address' : 'Host']: html`<code>${site}</code>`,
    Events: target.events.map((one) => events[one] ?? one).join(', '),
    Workspaces: workspaces ? workspaces.join(', ') : 'all',
    Created: renderTimeAgo(createdAt, now),
  };
  return html`<section aria-labelledby="of-${name}">
    <h2 id="of-${name}">${name}</h2>
    ${renderFactList(facts)}
    <div class="actions">
      ${act('test', html`<button>Send a test message to ${name}</button>`)}${act('remove', html`<button class="danger">Remove ${name}</button>`)}
    </div>
  </section>`;
}

function renderDead({ messages, formToken, now }: MessagesPageView): SafeHtml {
  const rows = messages.map(
    ({ id, target, event, workspace, givenUpAt, fault }) => html`<tr>
      <th scope="row">${workspace !== undefined && `${workspace}: `}${events[event] ?? event}</th>
      <td>${target}</td>
      <td>${renderTimeAgo(givenUpAt, now)}</td>
      <td>${fault}</td>
      <td>${renderForm(`/messages/${id}/again`, formToken, html`<button>Send again</button>`)}</td>
    </tr>`,
  );
  return html`<section aria-labelledby="dead">
    <h2 id="dead">Given up</h2>
    <p class="hint">${formatGroupedCount(messages.length, 'message')} did not arrive within about 8 hours.</p>
    ${renderPageTable('rows', ['Message', 'To', 'Given up', 'Why', 'Again'], rows)}
  </section>`;
}

function renderNew({ fields, formToken }: MessagesPageView): SafeHtml {
  const boxes = messageEvents.map((event) => {
    const isChosen = fields.events?.includes(event) ?? true;
    return html`<p>
      <label class="check"><input type="checkbox" name="events" value="${event}"${isChosen && html` checked`}> ${events[event] ?? event}</label>
    </p>`;
  });
  const content = html`<p>
      <label for="kind">Kind</label><select id="kind" name="kind">${renderSelectOptions(Object.entries(kinds), fields.kind)}</select>
    </p>
    ${renderTextField({ name: 'name', label: 'Name', value: fields.name, hint: 'Lower case letters, digits and hyphens.', isRequired: true })}
    ${renderTextField({ name: 'address', label: 'Address', value: '', hint: 'It begins with https://. Of Slack: the address of an incoming webhook. Of e-mail: the address of somebody.', isRequired: true })}
    <fieldset>
      <legend>Events</legend>
      ${boxes}
    </fieldset>
    ${renderTextField({ name: 'workspaces', label: 'Workspaces', value: fields.workspaces, hint: 'Their names. Empty for all.' })}
    <div class="actions"><button class="primary">Add the target</button></div>`;
  return html`<section aria-labelledby="new">
    <h2 id="new">Send messages elsewhere</h2>
    <p class="hint">The server encrypts addresses and secrets, and never shows them again.</p>
    <div class="form">${renderForm('/message-targets', formToken, content)}</div>
  </section>`;
}
