// The service worker of Engawa. It keeps the scripts and styles of one version of the pages, and answers a
// navigation without a connection with the offline page. The build adds the parts of features, such as push
// messages (see bin/build-service-worker.ts). It stores no page and no
// answer of the API, so that a shared device keeps nothing of a member.

import { addRoute, matchPrecache, precache } from 'workbox-precaching'
import { cleanupOutdatedCaches } from 'workbox-precaching/cleanupOutdatedCaches'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

// The messages of windows. web/service-worker-client.ts sends them.
/** Asks a new version of the worker to take over. */
const TAKE_OVER = 'take over'
/** Asks the worker to keep all scripts and styles of its version. */
const KEEP_FILES = 'keep files'

// bin/build-service-worker.ts replaces these two names.
/** The files of the offline page, each with a hash of its content. */
const offlineFiles = self.__OFFLINE_FILES
/** The paths of all scripts and styles of this version. Their names contain hashes of their content. */
const versionFiles = self.__VERSION_FILES

precache(offlineFiles)
addRoute({ directoryIndex: null, cleanURLs: false, ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()

const FILE_CACHE = 'files'
const files = new CacheFirst({ cacheName: FILE_CACHE })
registerRoute(({ url }) => url.origin === location.origin && url.pathname.startsWith('/assets/'), files)

/**
 * Downloads the scripts and styles that the cache lacks, one after the other, so that the windows of this
 * version can load them after an update of the server.
 */
async function keepAllFiles(event) {
  for (const path of versionFiles) await files.handle({ event, request: new Request(path) })
}

/** Deletes the scripts and styles of other versions from the cache. */
async function deleteOtherFiles() {
  const cache = await caches.open(FILE_CACHE)
  for (const request of await cache.keys())
    if (!versionFiles.includes(new URL(request.url).pathname)) await cache.delete(request)
}

/** Asks the server for a page. Without a connection, returns the offline page. */
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
  // Lets requests for data and pictures pass by the worker, so that they do not wait for its start.
  const toNetwork = ['/api/*', '/media/*'].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network',
  }))
  event.waitUntil(event.addRoutes?.(toNetwork).catch(() => {}) ?? Promise.resolve())
})

self.addEventListener('activate', (event) => {
  // Lets the browser send the request for a page while the worker still starts.
  const preload = self.registration.navigationPreload?.enable()
  event.waitUntil(Promise.all([preload, self.clients.claim(), deleteOtherFiles()]))
})

self.addEventListener('message', (event) => {
  // A new version waits until a member asks for it, or until all windows are closed, because the open windows
  // need the files of the old version.
  if (event.data === TAKE_OVER) self.skipWaiting()
  // Ignores a failed download, because the next page that is opened asks again.
  if (event.data === KEEP_FILES) event.waitUntil(keepAllFiles(event).catch(() => {}))
})
