/**
 * The URL path of the service worker's script. The script is at the root, so that it may control all pages.
 */
const WORKER = '/service-worker.js'

/** The messages that a page sends to the service worker. web/service-worker.js says what they do. */
const TAKE_OVER = 'take over'
const KEEP_FILES = 'keep files'

/** The maximum number of milliseconds to wait until a new version of the service worker has taken over. */
const TAKE_OVER_TIMEOUT = 3000

/** Registers the service worker. Browsers offer service workers only to pages with https. */
export const registerServiceWorker = () => navigator.serviceWorker.register(WORKER)

/**
 * Registers the service worker, and lets it download the offline page and the files of this version.
 * Does nothing in development, where files change all the time, or if the browser is set to save data,
 * because the worker downloads all scripts.
 */
export function registerServiceWorkerForOfflineFiles() {
  const { connection, serviceWorker } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (!import.meta.env.PROD || !serviceWorker || connection?.saveData) return
  // Ignores that the registration failed, because all pages work without the worker, and the next page load
  // tries again.
  registerServiceWorker()
    .then(() => serviceWorker.ready)
    .then(({ active }) => active?.postMessage(KEEP_FILES))
    .catch(() => {})
}

const findRegistration = async () => navigator.serviceWorker?.getRegistration()

/**
 * Closes the notifications of push messages to other members than the current one (`member`), or all
 * notifications for a visitor (null), because several members may share the device.
 */
export async function closePushNotificationsOfOtherMembers(member: number | null) {
  // Calls `getNotifications` only if it exists, because some browsers have service workers, but no
  // notifications.
  const shown = await (await findRegistration())?.getNotifications?.()
  for (const notification of shown ?? [])
    if (member === null || notification.data?.member !== member) notification.close()
}

/** Makes the browser download the new version of the service worker, which then waits. */
export const downloadNewServiceWorker = () =>
  findRegistration()
    .then((registration) => registration?.update())
    .catch(() => {})

/**
 * Asks the waiting version of the service worker, if there is one, to take over. Resolves when it has, or
 * after TAKE_OVER_TIMEOUT.
 */
export async function letNewServiceWorkerTakeOver() {
  const registration = await findRegistration().catch(() => undefined)
  if (!registration?.waiting) return
  const { waiting } = registration
  await new Promise<unknown>((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, TAKE_OVER_TIMEOUT)
    waiting.postMessage(TAKE_OVER)
  })
}
