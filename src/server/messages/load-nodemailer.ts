import type * as nodemailer from 'nodemailer';
import { loadPackage } from '../load-package.ts';

/** The library of e-mail. @throws DiagnosticError where it is not installed */
export function loadNodemailer(
  load: () => Promise<typeof nodemailer> = () => import('nodemailer'),
): Promise<typeof nodemailer> {
  const purpose = 'The server needs it to send e-mail.';
  return loadPackage(load, { name: 'nodemailer', version: '7', purpose });
}
