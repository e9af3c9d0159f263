import { useMediaQuery } from '#web/media-query.ts'
import { createStore, useStore } from '#web/store.ts'

/** The event with which Chromium offers to install the site as an app. Other browsers have no such event. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const offered = createStore<InstallPromptEvent | null>(null)
const isInstalledStore = createStore(false)

addEventListener('beforeinstallprompt', (event) => {
  // Keeps the browser from showing its own bar, because the app asks only after a click.
  event.preventDefault()
  offered.set(event as InstallPromptEvent)
})
addEventListener('appinstalled', () => {
  offered.set(null)
  isInstalledStore.set(true)
})

/**
 * Returns a function that shows the browser's dialog to install the app; null if the browser has none now.
 */
export function useInstallPrompt() {
  const event = useStore(offered)
  if (!event) return null
  return () => {
    // The browser allows one dialog for each event.
    offered.set(null)
    void event.prompt()
  }
}

/** Returns whether the page is shown by the installed app, or the app was installed from this window. */
export function useIsAppInstalled() {
  const isStandalone = useMediaQuery('(display-mode: standalone)')
  const isJustInstalled = useStore(isInstalledStore)
  // Older versions of Safari on iPhones have this property instead.
  return isStandalone || isJustInstalled || (navigator as { standalone?: boolean }).standalone === true
}

/**
 * Whether the device is an iPhone or an iPad. iPads say that they are a Mac, but Macs have no touch screen.
 */
export const isAppleMobileDevice = () =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
