import { html } from '../../model/text/html.ts';
import { renderSandboxPage } from './page.ts';

/** Renders the sandbox's live page at `/`; `fragment` is its changing part at this moment. */
export function renderSandboxLivePage(
  fragment: string,
  { baseUrl }: { readonly baseUrl: string },
): string {
  const body = html`<header>
      <h1>Hostwright sandbox</h1>
      <p>Serving <code>${baseUrl}</code></p>
      <nav aria-label="Pages"><a href="/docs">API reference</a></nav>
      <p id="said" role="status"></p>
    </header>
    <main id="account">${{ markup: fragment }}</main>
    <noscript
      ><p class="none">Without JavaScript this page does not update by itself.</p></noscript
    >`;
  return renderSandboxPage({ title: 'Hostwright sandbox', folder: '', body });
}

/**
 * Script of the live page: fetches the changing part every second while the page is visible, and lets screen readers
 * announce only its summary.
 */
export const sandboxLivePageScript = `
const account = document.getElementById('account');
const said = document.getElementById('said');
let shown = '';
async function update() {
  try {
    const response = await fetch('/account.html', { cache: 'no-store' });
    if (!response.ok) throw new Error(String(response.status));
    const text = await response.text();
    if (text !== shown) account.innerHTML = text;
    shown = text;
    document.body.classList.remove('lost');
    say(account.querySelector('[data-sum]').textContent);
  } catch {
    document.body.classList.add('lost');
    say('The sandbox does not answer; what is shown is old.');
  }
}
function say(text) {
  if (said.textContent !== text) said.textContent = text;
}
update();
setInterval(() => { if (!document.hidden) update(); }, 1000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) update(); });
`;

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16"
 rx="3" fill="#1d5fa8"/><path d="M4 3v10M12 3v10M4 8h8" stroke="#fff" stroke-width="2" fill="none"/></svg>`;
