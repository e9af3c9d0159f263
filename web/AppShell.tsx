import { RotateCw, Wifi, WifiOff, X } from 'lucide-react'
import { type MouseEvent, type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Language } from '#core/contract.ts'
import { checkServerReachabilityNow, useConnectionBannerState } from '#web/connection.ts'
import { ErrorBoundary } from '#web/ErrorPage.tsx'
import { Footer, useShortcutsHelpOpener } from '#web/Footer.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe, useRefetchMe } from '#web/me.ts'
import {
  dismissNewAppVersionBar,
  reloadIntoNewAppVersion,
  useNewAppVersionBarState,
} from '#web/new-version.ts'
import { initialPageData } from '#web/page-data.ts'
import {
  addSessionEndListener,
  connectRealtime,
  disconnectRealtime,
  useTrackOnlineMembersAndAccentColour,
} from '#web/realtime.ts'
import { scrollToTop } from '#web/scroll.ts'
import { closePushNotificationsOfOtherMembers } from '#web/service-worker-client.ts'
import { appShellText } from '#web/shell-text.ts'
import { useKeyboardShortcuts, useShortcutGroupsOfOpenHelp } from '#web/shortcuts.ts'
import { BottomNavBar, TopNavBar } from '#web/TopNavBar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'
import {
  isUiItemVisibleTo,
  listVisibleNavItemsAtPlace,
  useModuleBackgroundWork,
  webModulesOfRunningFeatures,
} from '#web/web-modules.ts'

interface ShellProps {
  /** Whether the page of the new path is still being loaded. */
  pending: boolean
  onLang: (lang: Language) => void
  children: ReactNode
}

/**
 * Renders the frame of every page: skip link, navigation, connection banner, footer, toasts, list of
 * shortcuts, and the overlays of features.
 */
export function AppShell({ pending, onLang, children }: ShellProps) {
  const t = useText(appShellText)
  useShellShortcuts()
  useConnection()
  useClosedNotificationsOfOthers()
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it focuses the target without adding a history entry */}
      <a className="skip" href="#main" onClick={skip}>
        {t.skip}
      </a>
      <TopNavBar pending={pending} onLang={onLang} />
      <Banner />
      <main id="main" tabIndex={-1} aria-busy={pending || undefined}>
        {children}
        <FloatingAction />
      </main>
      <Footer onLang={onLang} />
      <BottomNavBar />
      <Toasts />
      <OpenShortcutsHelp />
      {webModulesOfRunningFeatures.map(
        ({ name, Overlay }) =>
          Overlay && (
            <ErrorBoundary key={name} fallback={null}>
              <Overlay />
            </ErrorBoundary>
          ),
      )}
    </>
  )
}

const bannerIcons = { reconnecting: RotateCw, offline: WifiOff, restored: Wifi }

/**
 * Renders a banner when the connection to the server is lost, when it is back, and when the server serves a
 * new version of the pages.
 */
function Banner() {
  const t = useText(appShellText)
  const state = useConnectionBannerState()
  return (
    <div className="banner-place" role="status">
      {state === 'connected' ? (
        <NewVersionBanner />
      ) : (
        <div className="banner" data-kind={state}>
          <Icon icon={bannerIcons[state]} size="s" />
          {t[state]}
          {state === 'offline' && (
            <button type="button" onClick={checkServerReachabilityNow}>
              {t.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** Renders a banner that offers to reload the page when the server serves a new version of the pages. */
function NewVersionBanner() {
  const t = useText(appShellText)
  if (useNewAppVersionBarState() !== 'ready') return null
  return (
    <div className="banner" data-kind="new-version">
      {t.newVersion}
      <button type="button" onClick={reloadIntoNewAppVersion}>
        {t.reload}
      </button>
      <Button kind="ghost" iconOnly icon={X} label={t.close} onClick={dismissNewAppVersionBar} />
    </div>
  )
}

function skip(event: MouseEvent) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/**
 * Keeps the real-time connection open. The server ties each connection to one member or visitor, so the hook
 * opens a new connection after a log-in or a log-out. Also runs the background work of the features, and
 * keeps the list of online members and the accent colour current.
 */
function useConnection() {
  const me = useMe()?.id ?? null
  const askAgain = useRefetchMe()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account needs another connection
  useEffect(() => {
    // Ignores a failed connection, because pages work without it, and the next page load tries again.
    connectRealtime().catch(() => {})
    return disconnectRealtime
  }, [me])
  useEffect(
    () =>
      addSessionEndListener(async () => {
        // Opens a new connection with the new session if the same member has logged in again in another tab.
        if ((await askAgain())?.id === me) connectRealtime().catch(() => {})
      }),
    [askAgain, me],
  )
  useModuleBackgroundWork(me)
  useTrackOnlineMembersAndAccentColour(me !== null)
}

/** Closes the notifications of the previous member as soon as a window sees a log-out or another log-in. */
function useClosedNotificationsOfOthers() {
  const me = useMe()?.id ?? null
  useEffect(() => {
    // Closes nothing on an error page of the server, because such a page does not say who is logged in.
    if (me === null && initialPageData.status >= 500) return
    closePushNotificationsOfOtherMembers(me).catch(() => {})
  }, [me])
}

const shortcuts = webModulesOfRunningFeatures
  .flatMap((module) => module.shortcuts ?? [])
  .toSorted((a, b) => a.order - b.order)

function useShellShortcuts() {
  const t = useText(appShellText)
  const lang = useLang()
  const me = useMe()
  const openHelp = useShortcutsHelpOpener()
  useKeyboardShortcuts(t.keysEverywhere, [
    ...shortcuts
      .filter((shortcut) => isUiItemVisibleTo(shortcut, me))
      .map(({ keys, description, run }) => ({ keys, description: description[lang], run: () => run(me) })),
    { keys: ['t'], description: t.keyTop, run: scrollToTop },
    { keys: ['?'], description: t.keyLegend, run: openHelp },
  ])
}

/**
 * Renders the dialog with the list of keyboard shortcuts. The browser loads the code of the dialog when the
 * list is opened.
 */
const ShortcutsHelp = lazyWithRetry(() => import('#web/ShortcutsHelp.tsx'))
const OpenShortcutsHelp = () =>
  useShortcutGroupsOfOpenHelp() && (
    <ErrorBoundary fallback={null}>
      <Suspense>
        <ShortcutsHelp />
      </Suspense>
    </ErrorBoundary>
  )

/**
 * Renders the link of the top bar's primary button a second time, as a round button that floats above the
 * page. CSS shows this button only in narrow windows, as on phones.
 */
function FloatingAction() {
  const [path] = useLocation()
  const lang = useLang()
  const me = useMe()
  if (
    !me ||
    webModulesOfRunningFeatures.some(({ withoutFloatingAction }) => withoutFloatingAction?.test(path))
  )
    return null
  return listVisibleNavItemsAtPlace('action', me).map(({ paths, label, icon }) => (
    <Link key={paths[0]} className="floating-action" href={paths[0]!} aria-label={label[lang]}>
      <Icon icon={icon} size="l" />
    </Link>
  ))
}
