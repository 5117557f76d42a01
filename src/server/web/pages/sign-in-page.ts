import { html, type SafeHtml } from '../../../model/text/html.ts';
import { renderFormRefusal } from '../parts/elements.ts';

/** Content of the sign-in page. */
export interface SignInPageView {
  /** The code of a link; undefined where somebody came without one. */
  readonly code: string | undefined;
  /** Path of this server to go to after the sign-in. */
  readonly next: string;
  /** The host of the provider of OpenID Connect; undefined where there is none. */
  readonly provider: string | undefined;
  /** Command line that prints a new sign-in link. */
  readonly command: string;
  readonly fault?: string;
}

/** Renders the sign-in page: by the OpenID provider, by a link from the terminal, or by the administrator token. */
export function renderSignInPage({
  code,
  next,
  provider,
  command,
  fault,
}: SignInPageView): SafeHtml {
  return html`<div class="sign-in">
    <h1>Sign in</h1>
    ${renderFormRefusal(fault)}
    ${provider !== undefined && code === undefined && renderProvider(provider, next)}
    <form method="post" action="/sign-in">
      <input type="hidden" name="next" value="${next}">
      ${code === undefined ? renderToken() : renderCode(code)}
    </form>
    <p class="hint">
      The link on the terminal of the first start signs you in once. For another link, run
      <code>${command}</code> with the variables of the server.
    </p>
  </div>`;
}

function renderProvider(provider: string, next: string): SafeHtml {
  const query = next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
  return html`<p>
      <a class="button primary wide" href="/sign-in/oidc${query}">Sign in with ${provider}</a>
    </p>
    <p class="or dim">or, as the administrator:</p>`;
}

function renderToken(): SafeHtml {
  return html`<p>
      <label for="token">Administrator token</label><input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false">
    </p>
    <button class="primary">Sign in</button>`;
}

function renderCode(code: string): SafeHtml {
  return html`<input type="hidden" name="code" value="${code}">
    <p>This link signs you in as the administrator, once.</p>
    <button class="primary">Sign in</button>`;
}

/** Renders the page after a sign-out, for a person whose session at the OpenID provider still goes on. */
export function renderSignedOutPage(address: string): SafeHtml {
  return html`<div class="sign-in">
    <h1>You are signed out here</h1>
    <p>The next page signs you out at ${new URL(address).host}, too.</p>
    <p><a class="button primary wide" href="${address}">Sign out there</a></p>
  </div>`;
}

/** Renders an error as a page. */
export function renderFaultPage(title: string, detail: string): SafeHtml {
  return html`<div class="sign-in">
    <h1>${title}</h1>
    <p>${detail}</p>
    <p><a href="/">Back to the workspaces</a></p>
  </div>`;
}
