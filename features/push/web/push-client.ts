import { callEndpoint } from '#web/api.ts'
import { pushEndpoints } from '../contract.ts'

/** The file of the service worker. It is at the root, so that it may control all pages. */
const WORKER = '/service-worker.js'

/**
 * Why this browser cannot receive push messages now; null if it can. `insecure`: browsers allow them only
 * with https. `home-screen`: iPhones allow them only to an app on the home screen.
 */
export function findObstacle(): 'insecure' | 'home-screen' | 'unsupported' | 'denied' | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return /iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? 'home-screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** Asks for the permission, and subscribes this browser. Returns false if the member refuses. */
export async function turnPushOn(publicKey: string) {
  // Safari asks only if this is the first call after the click.
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription to another key, from before a restored backup, would never get a message.
  await (await pushManager.getSubscription())?.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await callEndpoint(pushEndpoints.subscribe, { endpoint: endpoint ?? '', keys: { p256dh, auth } })
  return true
}

/** Ends the subscription of this browser, if it has one. */
export async function unsubscribeThisBrowser() {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
