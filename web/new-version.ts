import { initialPageData } from '#web/page-data.ts'
import { downloadNewServiceWorker, letNewServiceWorkerTakeOver } from '#web/service-worker-client.ts'
import { createStore, useStore } from '#web/store.ts'

// An open window detects with this file that the server serves another version of the pages. The window
// offers a reload, and never reloads by itself. Every response names the version, so this works without a
// service worker too.

/**
 * Whether the server serves another version than this window: `ready` shows a banner that offers a reload;
 * `dismissed` means that the user has closed the banner, which stays closed until the page is loaded again.
 */
type NewVersionState = 'none' | 'ready' | 'dismissed'

const state = createStore<NewVersionState>('none')

export const useNewAppVersionBarState = () => useStore(state)
export const dismissNewAppVersionBar = () => state.set('dismissed')

/**
 * Compares the server's version in the headers of a response with the version of this window. If they differ,
 * shows the banner that offers a reload, and downloads the new service worker. A response without a version,
 * such as that of a proxy, is ignored.
 */
export function detectNewAppVersionFromResponse({ headers }: Pick<Response, 'headers'>) {
  const version = headers.get('x-pages-version')
  if (!version || version === initialPageData.version || state.get() !== 'none') return
  state.set('ready')
  void downloadNewServiceWorker()
}

/**
 * Requests `/healthz`, and compares the version in the response with that of this window. Resolves to whether
 * the server has answered with success.
 */
export const probeServerAndDetectNewAppVersion = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    (response) => {
      detectNewAppVersionFromResponse(response)
      return response.ok
    },
    () => false,
  )

/**
 * Reloads the page in the new version, after the new service worker has taken over. Drafts are kept, because
 * the browser stores them.
 */
export async function reloadIntoNewAppVersion() {
  await letNewServiceWorkerTakeOver()
  location.reload()
}
