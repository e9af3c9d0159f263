import { RotateCw, Wifi, WifiOff, X } from 'lucide-react'
import { type MouseEvent, type ReactNode, Suspense, useEffect } from 'react'
import type { Language } from '#core/contract.ts'
import { checkServer, useBannerState } from '#web/connection.ts'
import { ErrorBoundary } from '#web/ErrorPage.tsx'
import { Footer, useOpenShortcuts } from '#web/Footer.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe, useRefetchMe } from '#web/me.ts'
import * as newVersion from '#web/new-version.ts'
import { pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { scrollToTop } from '#web/scroll.ts'
import * as serviceWorker from '#web/service-worker-client.ts'
import { shellText } from '#web/shell-text.ts'
import { useOpenHelp, useShortcuts } from '#web/shortcuts.ts'
import { BottomNavBar, TopNavBar } from '#web/TopNavBar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'
import { isVisibleTo, listNavItems, useModuleWork, webModules } from '#web/web-modules.ts'

interface ShellProps {
  /** The page of the new path is still being loaded. */
  pending: boolean
  onLang: (lang: Language) => void
  children: ReactNode
}

export function AppShell({ pending, onLang, children }: ShellProps) {
  const t = useText(shellText)
  useShellShortcuts()
  useConnection()
  useCloseNotifications()
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
      {webModules.map(
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

function Banner() {
  const t = useText(shellText)
  const state = useBannerState()
  return (
    <div className="banner-place" role="status">
      {state === 'connected' ? (
        <NewVersionBanner />
      ) : (
        <div className="banner" data-kind={state}>
          <Icon icon={bannerIcons[state]} size="s" />
          {t[state]}
          {state === 'offline' && (
            <button type="button" onClick={checkServer}>
              {t.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function NewVersionBanner() {
  const t = useText(shellText)
  if (newVersion.useBarState() !== 'ready') return null
  return (
    <div className="banner" data-kind="new-version">
      {t.newVersion}
      <button type="button" onClick={newVersion.reload}>
        {t.reload}
      </button>
      <Button kind="ghost" iconOnly icon={X} label={t.close} onClick={newVersion.dismissBar} />
    </div>
  )
}

function skip(event: MouseEvent) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The server ties a connection to one member or visitor, so a log-in or log-out opens a new one. */
function useConnection() {
  const me = useMe()?.id ?? null
  const askAgain = useRefetchMe()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account needs another connection
  useEffect(() => {
    void realtime.connect()
    return realtime.disconnect
  }, [me])
  useEffect(
    () =>
      realtime.onSessionEnd(async () => {
        // The same member may have logged in again in another tab; the new session needs a new connection.
        if ((await askAgain())?.id === me) await realtime.connect()
      }),
    [askAgain, me],
  )
  useModuleWork(me)
  realtime.useTracking(me !== null)
}

/** As soon as a window sees a log-out or another log-in. */
function useCloseNotifications() {
  const me = useMe()?.id ?? null
  useEffect(() => {
    // An error page of the server does not say who is logged in.
    if (me === null && pageData.status >= 500) return
    serviceWorker.closeOthers(me).catch(() => {})
  }, [me])
}

const shortcuts = webModules.flatMap((module) => module.shortcuts ?? []).toSorted((a, b) => a.order - b.order)

function useShellShortcuts() {
  const t = useText(shellText)
  const lang = useLang()
  const me = useMe()
  const openHelp = useOpenShortcuts()
  useShortcuts(t.keysEverywhere, [
    ...shortcuts
      .filter((shortcut) => isVisibleTo(shortcut, me))
      .map(({ keys, description, run }) => ({ keys, description: description[lang], run: () => run(me) })),
    { keys: ['t'], description: t.keyTop, run: scrollToTop },
    { keys: ['?'], description: t.keyLegend, run: openHelp },
  ])
}

/** Its code is loaded when the list is opened. */
const ShortcutsHelp = lazyWithRetry(() => import('#web/ShortcutsHelp.tsx'))
const OpenShortcutsHelp = () =>
  useOpenHelp() && (
    <ErrorBoundary fallback={null}>
      <Suspense>
        <ShortcutsHelp />
      </Suspense>
    </ErrorBoundary>
  )

/**
 * Repeats the top bar's primary button above a list with `data-with-action`, in narrow windows, and never
 * above a form: see navigation.css.
 */
function FloatingAction() {
  const lang = useLang()
  const me = useMe()
  if (!me) return null
  return listNavItems('action', me).map(({ paths, label, icon }) => (
    <Link key={paths[0]} className="floating-action" href={paths[0]!} aria-label={label[lang]}>
      <Icon icon={icon} size="l" />
    </Link>
  ))
}
