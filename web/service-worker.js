// Keeps the scripts and styles of one version, and answers a navigation without a connection with the offline
// page. It stores no page and no answer of the API, so that a shared device keeps nothing of a member. The
// build adds the parts of features, such as push (see bin/build-service-worker.ts).

import { addRoute, matchPrecache, precache } from 'workbox-precaching'
import { cleanupOutdatedCaches } from 'workbox-precaching/cleanupOutdatedCaches'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

// The messages of windows. web/service-worker-client.ts sends them.
const TAKE_OVER = 'take over'
const KEEP_FILES = 'keep files'

// bin/build-service-worker.ts replaces these two names.
const offlineFiles = self.__OFFLINE_FILES
/** Their names contain hashes of their content. */
const versionFiles = self.__VERSION_FILES

precache(offlineFiles)
addRoute({ directoryIndex: null, cleanURLs: false, ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()

const FILE_CACHE = 'files'
const files = new CacheFirst({ cacheName: FILE_CACHE })
registerRoute(({ url }) => url.origin === location.origin && url.pathname.startsWith('/assets/'), files)

/** One after the other. Windows of this version can then load them after an update of the server. */
async function keepAllFiles(event) {
  for (const path of versionFiles) await files.handle({ event, request: new Request(path) })
}

async function deleteOtherFiles() {
  const cache = await caches.open(FILE_CACHE)
  for (const request of await cache.keys())
    if (!versionFiles.includes(new URL(request.url).pathname)) await cache.delete(request)
}

async function loadPage({ event, request }) {
  try {
    return (await event.preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const offlinePage = await matchPrecache('/offline.html')
    if (!offlinePage) throw error
    return offlinePage
  }
}
registerRoute(({ request }) => request.mode === 'navigate', loadPage)

self.addEventListener('install', (event) => {
  // Requests for data and pictures pass by the worker, so that they do not wait for its start.
  const toNetwork = ['/api/*', '/media/*'].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network',
  }))
  event.waitUntil(event.addRoutes?.(toNetwork).catch(() => {}) ?? Promise.resolve())
})

self.addEventListener('activate', (event) => {
  // The browser sends the request for a page while the worker still starts.
  const preload = self.registration.navigationPreload?.enable()
  event.waitUntil(Promise.all([preload, self.clients.claim(), deleteOtherFiles()]))
})

self.addEventListener('message', (event) => {
  // A new version waits for a member, or until all windows are closed: they need the files of the old
  // version.
  if (event.data === TAKE_OVER) self.skipWaiting()
  // The next page that is opened asks again.
  if (event.data === KEEP_FILES) event.waitUntil(keepAllFiles(event).catch(() => {}))
})
