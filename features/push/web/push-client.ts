import { callEndpoint } from '#web/api.ts'
import { isAppleMobileDevice } from '#web/install-prompt.ts'
import { registerServiceWorker } from '#web/service-worker-client.ts'
import { pushEndpoints } from '../contract.ts'

/**
 * Returns why this browser cannot receive push messages now; null if it can. `insecure`: browsers allow
 * them only with https. `home-screen`: iPhones and iPads allow them only to an app on the home screen.
 * `denied`: the member has forbidden notifications in the browser.
 */
export function findPushUnavailableReason(): 'insecure' | 'home-screen' | 'unsupported' | 'denied' | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isAppleMobileDevice() ? 'home-screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/**
 * The maximum time in ms for which the page waits until the browser and its push service have made a
 * subscription.
 */
const SUBSCRIBE_TIMEOUT = 20_000

/** The error that is thrown if the browser's push service does not answer in time. */
export class BrowserPushSubscribeTimeoutError extends Error {}

/**
 * Asks the member for the permission, subscribes this browser to push messages, and sends the subscription to
 * the server. Returns false if the member refuses the permission. Throws `BrowserPushSubscribeTimeoutError`
 * if the browser's push service does not answer.
 */
export async function subscribeThisBrowserToPush(publicKey: string) {
  // Asks for the permission before anything else, because Safari asks the member only if nothing was awaited
  // since the click.
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { endpoint, keys } = (await rejectAfterTimeout(createSubscription(publicKey))).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await callEndpoint(pushEndpoints.subscribe, { endpoint: endpoint ?? '', keys: { p256dh, auth } })
  return true
}

async function createSubscription(publicKey: string) {
  await registerServiceWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  // Removes an earlier push subscription of the browser. If it was made with another key of the server, for
  // example before a backup was restored, it would never get a message.
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/**
 * Rejects if the browser does not make a push subscription in time, because a browser that cannot reach its
 * push service may wait for ever. A subscription that is made later stays in the browser until the next
 * attempt, which removes it.
 */
async function rejectAfterTimeout(subscription: Promise<PushSubscription>) {
  let timer: number | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new BrowserPushSubscribeTimeoutError()), SUBSCRIBE_TIMEOUT)
  })
  return Promise.race([subscription, timeout]).finally(() => clearTimeout(timer))
}

/** Ends the push subscription of this browser, if it has one. Does not tell Engawa's server. */
export async function unsubscribeThisBrowserFromPushLocally() {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
