import { callEndpoint } from '#web/api.ts'
import { isAppleMobile } from '#web/install-prompt.ts'
import * as serviceWorker from '#web/service-worker-client.ts'
import { pushEndpoints } from '../contract.ts'

/**
 * Null if it can. `insecure`: not https. `home-screen`: iPhones and iPads need an app on the home screen.
 * `denied`: the member has forbidden notifications in the browser.
 */
export function whyUnavailable(): 'insecure' | 'home-screen' | 'unsupported' | 'denied' | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isAppleMobile() ? 'home-screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** In ms, for the browser and its push service. */
const SUBSCRIBE_TIMEOUT = 20_000

export class SubscribeTimeout extends Error {}

/** Asks for the permission; false if refused. Throws `pushClient.SubscribeTimeout`. */
export async function subscribe(publicKey: string) {
  // First of all, because Safari asks only if nothing was awaited since the click.
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { endpoint, keys } = (await rejectAfterTimeout(createSubscription(publicKey))).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await callEndpoint(pushEndpoints.subscribe, { endpoint: endpoint ?? '', keys: { p256dh, auth } })
  return true
}

async function createSubscription(publicKey: string) {
  await serviceWorker.register()
  const { pushManager } = await navigator.serviceWorker.ready
  // One made with another key of the server, for example before a restore, would never get a message.
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** A browser may wait for ever. The next attempt removes a subscription that is made later. */
async function rejectAfterTimeout(subscription: Promise<PushSubscription>) {
  let timer: number | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new SubscribeTimeout()), SUBSCRIBE_TIMEOUT)
  })
  return Promise.race([subscription, timeout]).finally(() => clearTimeout(timer))
}

/** Does not tell Engawa's server. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
