import { pageData } from '#web/page-data.ts'
import * as serviceWorker from '#web/service-worker-client.ts'
import { createStore, useStore } from '#web/store.ts'

// Detects that the server serves another version. The window offers a reload, and never reloads by itself.
// Every response names the version, so this works without a service worker too.

/** `dismissed`: the user has closed the banner, which stays closed until the page is loaded again. */
type NewVersionState = 'none' | 'ready' | 'dismissed'

const state = createStore<NewVersionState>('none')

export const useBarState = () => useStore(state)
export const dismissBar = () => state.set('dismissed')

/** Also downloads the new service worker. A response without a version, such as a proxy's, is ignored. */
export function detect({ headers }: Pick<Response, 'headers'>) {
  const version = headers.get('x-pages-version')
  if (!version || version === pageData.version || state.get() !== 'none') return
  state.set('ready')
  void serviceWorker.update()
}

/** Resolves to whether the server has answered with success. */
export const probe = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    (response) => {
      detect(response)
      return response.ok
    },
    () => false,
  )

/** After the new service worker has taken over. The browser keeps the drafts. */
export async function reload() {
  await serviceWorker.takeOver()
  location.reload()
}
