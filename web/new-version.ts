import { initialPageData } from '#web/page-data.ts'
import { downloadNewServiceWorker, letNewServiceWorkerTakeOver } from '#web/service-worker-client.ts'
import { createStore, useStore } from '#web/store.ts'

// An open window learns here that the server serves another version of the pages. The window offers a reload,
// and never reloads by itself. Every response names the version, so this works without a service worker too.

/**
 * `dismissed`: the member has closed the bar that offers the reload. It stays closed until the page is
 * loaded again.
 */
type NewVersionState = 'none' | 'ready' | 'dismissed'

const state = createStore<NewVersionState>('none')

export const useNewAppVersionState = () => useStore(state)
export const dismissNewAppVersionBar = () => state.set('dismissed')

/**
 * Compares the version in the headers of a response with that of this window. If they differ, shows the bar
 * about the new version and downloads the new service worker. Responses of proxies name no version.
 */
export function detectNewAppVersionFromResponse({ headers }: Pick<Response, 'headers'>) {
  const version = headers.get('x-pages-version')
  if (!version || version === initialPageData.version || state.get() !== 'none') return
  state.set('ready')
  void downloadNewServiceWorker()
}

/** Asks the server for the version that it serves. Resolves to whether the server has answered. */
export const probeServerAndDetectNewAppVersion = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    (response) => {
      detectNewAppVersionFromResponse(response)
      return response.ok
    },
    () => false,
  )

/** Loads the new version in this window. Drafts are kept, because they are stored in the browser. */
export async function reloadIntoNewAppVersion() {
  await letNewServiceWorkerTakeOver()
  location.reload()
}
