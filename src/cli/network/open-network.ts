// The network as the process has it: connections that are kept open, through the proxies of the environment.
import type { Dispatcher } from 'undici';
import type { HttpExchange, NetworkConnections, NetworkSettings } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Opens a network that loads its code with the first request, since many commands send none. */
export function openLazyNetwork(
  env: Runtime['env'],
  settings: NetworkSettings,
): NetworkConnections {
  let opening: Promise<{ exchange: HttpExchange; dispatcher: Dispatcher }> | undefined;
  const open = async () => {
    const [{ openDispatcher }, { createDispatcherExchange: exchangeOver }] = await Promise.all([
      import('./dispatcher.ts'),
      import('./exchange.ts'),
    ]);
    const dispatcher = openDispatcher(env, settings);
    return { dispatcher, exchange: exchangeOver(dispatcher) };
  };
  let exchange: HttpExchange | undefined;
  return {
    exchange: async (request) => {
      exchange ??= (await (opening ??= open())).exchange;
      return exchange(request);
    },
    close() {
      // Connections that are still being opened at the end are destroyed, so that the process can exit.
      opening?.then(({ dispatcher }) => dispatcher.destroy()).catch(() => undefined);
    },
  };
}
