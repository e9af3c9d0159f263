/** At the root, so that it may control all pages. */
const WORKER = '/service-worker.js'

/** web/service-worker.js says what these messages do. */
const TAKE_OVER = 'take over'
const KEEP_FILES = 'keep files'

/** Milliseconds. */
const TAKE_OVER_TIMEOUT = 3000

/** Browsers offer service workers only to pages with https. */
export const register = () => navigator.serviceWorker.register(WORKER)

/**
 * Also downloads the offline page and the files of this version. Not in development, where files change all
 * the time, nor if the browser is set to save data, because these are all scripts.
 */
export function registerOffline() {
  const { connection, serviceWorker } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (!import.meta.env.PROD || !serviceWorker || connection?.saveData) return
  // All pages work without the worker, and the next page load tries again.
  register()
    .then(() => serviceWorker.ready)
    .then(({ active }) => active?.postMessage(KEEP_FILES))
    .catch(() => {})
}

const findRegistration = async () => navigator.serviceWorker?.getRegistration()

/** All for a visitor (null), because several members may share the device. */
export async function closeOthers(member: number | null) {
  // Some browsers have service workers, but no notifications.
  const shown = await (await findRegistration())?.getNotifications?.()
  for (const notification of shown ?? [])
    if (member === null || notification.data?.member !== member) notification.close()
}

/** The new version waits then. */
export const update = () =>
  findRegistration()
    .then((registration) => registration?.update())
    .catch(() => {})

/** The waiting version, if any. Resolves when it has taken over, or after TAKE_OVER_TIMEOUT. */
export async function takeOver() {
  const registration = await findRegistration().catch(() => undefined)
  if (!registration?.waiting) return
  const { waiting } = registration
  await new Promise<unknown>((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, TAKE_OVER_TIMEOUT)
    waiting.postMessage(TAKE_OVER)
  })
}
