import { callEndpoint } from '#web/api.ts'
import { isAppleMobileDevice } from '#web/install-prompt.ts'
import { registerServiceWorker } from '#web/service-worker-client.ts'
import { pushEndpoints } from '../contract.ts'

/**
 * Returns why this browser cannot receive push messages now; null if it can. `insecure`: browsers allow
 * them only with https. `home-screen`: iPhones and iPads allow them only to an app on the home screen.
 * `denied`: the member has forbidden notifications in the browser.
 */
export function findPushObstacle(): 'insecure' | 'home-screen' | 'unsupported' | 'denied' | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isAppleMobileDevice() ? 'home-screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/**
 * Asks the member for the permission, subscribes this browser, and sends the subscription to the server.
 * Returns false if the member refuses the permission.
 */
export async function subscribeThisBrowser(publicKey: string) {
  // This call must come first, because Safari asks the member only if nothing else was awaited since the
  // click.
  if ((await Notification.requestPermission()) !== 'granted') return false
  await registerServiceWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  // Removes an earlier subscription. If it was made with another key of the server, for example before a
  // backup was restored, it would never get a message.
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
