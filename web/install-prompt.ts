import { useMediaQuery } from '#web/media-query.ts'
import { createStore, useStore } from '#web/store.ts'

/** Only Chromium has this event, with which it offers to install the site as an app. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const offered = createStore<InstallPromptEvent | null>(null)
const isInstalledStore = createStore(false)

addEventListener('beforeinstallprompt', (event) => {
  // Without the browser's own offer: Engawa asks only after a click.
  event.preventDefault()
  offered.set(event as InstallPromptEvent)
})
addEventListener('appinstalled', () => {
  offered.set(null)
  isInstalledStore.set(true)
})

/** Null if the browser does not offer it now. */
export function useInstallPrompt() {
  const event = useStore(offered)
  if (!event) return null
  return () => {
    // The browser opens only one dialog for each event.
    offered.set(null)
    void event.prompt()
  }
}

/** Also true if the app was installed from this window. */
export function useIsInstalled() {
  const isStandalone = useMediaQuery('(display-mode: standalone)')
  const isJustInstalled = useStore(isInstalledStore)
  // Older versions of Safari on iPhones have only `navigator.standalone`.
  return isStandalone || isJustInstalled || (navigator as { standalone?: boolean }).standalone === true
}

/** iPads say that they are a Mac, but Macs have no touch screen. */
export const isAppleMobile = () =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
