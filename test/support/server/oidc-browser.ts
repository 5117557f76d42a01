// A browser that signs in by a provider: what it asks the server of the rig, and where it is sent.
import { origin, type PagesRig } from './pages-rig.ts';

/** As far as the provider: what the browser has as a cookie, and where it is sent. */
interface BegunSignIn {
  readonly status: number;
  readonly location: string;
  readonly cookie: string;
}

/** What it can do. */
export interface OidcBrowser {
  /** Gets an address of the server. */
  readonly ask: (url: string, cookie?: string, address?: string) => Promise<Response>;
  /** Gets the text of a path. */
  readonly look: (path: string, cookie: string) => Promise<string>;
  /** Submits a form of a page, as the page has it. */
  readonly submit: (path: string, page: string, cookie: string) => Promise<Response>;
  /** As far as the provider. */
  readonly begin: (query?: string) => Promise<BegunSignIn>;
  /** Through the provider and back: the address that the provider sends the browser to. */
  readonly visit: (location: string) => Promise<string>;
  /** The whole way, each time from another address. */
  readonly signIn: (
    query?: string,
  ) => Promise<{ readonly response: Response; readonly session: string }>;
}

/** Opens it. */
export function openOidcBrowser(rig: Pick<PagesRig, 'app'>): OidcBrowser {
  let visits = 0;
  const ask: OidcBrowser['ask'] = async (url, cookie = '', address = '192.0.2.1') =>
    rig.app.fetch(new Request(url, { headers: { cookie } }), { address });
  const begin: OidcBrowser['begin'] = async (query = '') => {
    const response = await ask(`${origin}/sign-in/oidc${query}`);
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, cookie: cookieOf(response, 'hostwright-sign-in') };
  };
  const visit: OidcBrowser['visit'] = async (location) => {
    const response = await fetch(location, { redirect: 'manual' });
    return response.headers.get('location') ?? '';
  };
  return {
    ...{ ask, begin, visit },
    look: async (path, cookie) => (await ask(`${origin}${path}`, cookie)).text(),
    async submit(path, page, cookie) {
      const formToken = /name="formToken" value="([^"]+)"/.exec(page)?.[1] ?? '';
      const headers = {
        ...{ cookie, origin, host: new URL(origin).host },
        'content-type': 'application/x-www-form-urlencoded',
      };
      const body = new URLSearchParams({ formToken }).toString();
      const request = new Request(`${origin}${path}`, { method: 'POST', headers, body });
      return rig.app.fetch(request, { address: '192.0.2.1' });
    },
    async signIn(query = '') {
      const { location, cookie } = await begin(query);
      visits += 1;
      const response = await ask(await visit(location), cookie, `192.0.2.${100 + visits}`);
      return { response, session: cookieOf(response, 'hostwright') };
    },
  };
}

function cookieOf(response: Response, name: string): string {
  const set = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return set.find((one) => one.startsWith(`${name}=`)) ?? '';
}
