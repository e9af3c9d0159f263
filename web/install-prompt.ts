import { useMediaQuery } from '#web/media-query.ts'
import { createStore, useStore } from '#web/store.ts'

/** The event with which Chromium offers to install the site as an app. Other browsers have no such event. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const offered = createStore<InstallPromptEvent | null>(null)
const isInstalledStore = createStore(false)

addEventListener('beforeinstallprompt', (event) => {
  // Keeps the browser from showing its own offer to install the app, because Engawa asks only after a click.
  event.preventDefault()
  offered.set(event as InstallPromptEvent)
})
addEventListener('appinstalled', () => {
  offered.set(null)
  isInstalledStore.set(true)
})

/**
 * Returns a function that opens the browser's dialog to install the app; null if the browser does not offer
 * it now.
 */
export function useAppInstallPromptOpener() {
  const event = useStore(offered)
  if (!event) return null
  return () => {
    // Forgets the event, because the browser opens only one dialog for each event.
    offered.set(null)
    void event.prompt()
  }
}

/** Returns whether the page is shown by the installed app, or the app was installed from this window. */
export function useIsAppInstalled() {
  const isStandalone = useMediaQuery('(display-mode: standalone)')
  const isJustInstalled = useStore(isInstalledStore)
  // Checks `navigator.standalone` too, because older versions of Safari on iPhones have only this property.
  return isStandalone || isJustInstalled || (navigator as { standalone?: boolean }).standalone === true
}

/**
 * Returns whether the device is an iPhone or an iPad. iPads say that they are a Mac, but Macs have no touch
 * screen.
 */
export const isAppleMobileDevice = () =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
