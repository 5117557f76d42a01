// E-mail by SMTP, with the server and the sender that the environment names.
import type * as nodemailer from 'nodemailer';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { isLoopback } from '../../model/text/is-loopback.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import { loadOptionalPackage } from '../load-package.ts';

/** An e-mail with subject and plain text. */
export interface EmailMessage {
  readonly to: string;
  /** Id of the message, the same in each attempt, by which a receiver shows it only once. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends e-mail. */
export interface MailSender {
  /** @throws GitHostFault where the server did not take it */
  send(mail: EmailMessage): Promise<void>;
  close(): void;
}

const urlVariable = 'HOSTWRIGHT_SERVER_SMTP_URL';
const senderVariable = 'HOSTWRIGHT_SERVER_MAIL_FROM';
const patienceMs = 15_000;

/** Tells whether a text is exactly one e-mail address, with nothing that a mail server could misread. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(text);
}

/**
 * Opens the mail server that the environment names; undefined where it names none. E-mail is sent unencrypted only to a server on
 * this machine.
 * @throws DiagnosticError for an invalid address, or where the library is not installed
 */
export async function openMailSender({
  env,
}: Pick<Runtime, 'env'>): Promise<MailSender | undefined> {
  const address = env[urlVariable]?.trim() ?? '';
  const from = env[senderVariable]?.trim() ?? '';
  if (address === '' && from === '') return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isKnown = url && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '';
  if (!isKnown || !isMailAddress(from)) throw explainSettings();
  const { createTransport } = await loadNodemailer();
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    requireTLS: url.protocol === 'smtp:' && !isLoopback(url),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, id, subject, text }) {
      const messageId = `<${id}@${from.slice(from.indexOf('@') + 1)}>`;
      await transport
        .sendMail({ from, to: { name: '', address: to }, subject, text, messageId })
        .catch((error: unknown) => {
          throw explainRefusal(url.host, error);
        });
    },
    close: () => transport.close(),
  };
}

/** The words of a mail server are not shown: they may repeat what it was sent. */
function explainRefusal(host: string, error: unknown): GitHostFault {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const why = responseCode === undefined ? (code ?? 'no answer') : `answer ${responseCode}`;
  return new GitHostFault(`The mail server ${host} did not take it: ${why}`);
}

function explainSettings(): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-mail-settings',
      summary: 'The mail server is not complete',
      detail: `${urlVariable} and ${senderVariable} belong together. Their texts are not shown, since one may hold a password.`,
      hint: `Set ${urlVariable} to smtps://user:password@mail.example.com and ${senderVariable} to hostwright@example.com, or none of them.`,
    },
  ]);
}

/** The library of e-mail. @throws DiagnosticError where it is not installed */
export function loadNodemailer(
  load: () => Promise<typeof nodemailer> = () => import('nodemailer'),
): Promise<typeof nodemailer> {
  const purpose = 'The server needs it to send e-mail.';
  return loadOptionalPackage(load, { name: 'nodemailer', version: '7', purpose });
}
