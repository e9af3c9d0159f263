import { RotateCw, Wifi, WifiOff } from 'lucide-react'
import { lazy, type MouseEvent, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { retryConnection, useConnectionState } from '#web/connection.ts'
import { SafePage } from '#web/ErrorPage.tsx'
import { Footer, useOpenShortcutsHelp } from '#web/Footer.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { useMe, useMeAgain } from '#web/me.ts'
import { entriesAt, isVisible, modules, useBackgroundWork } from '#web/modules.ts'
import { BottomBar, NavBar } from '#web/NavBar.tsx'
import { onSessionEnd, startRealtime, stopRealtime, useWatchHere } from '#web/realtime.ts'
import { scrollToTop } from '#web/scroll.ts'
import { shellText } from '#web/shell-text.ts'
import { useShortcuts, useShortcutsHelp } from '#web/shortcuts.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'

interface ShellProps {
  /** The next page is being loaded. */
  pending: boolean
  onLang: (lang: Lang) => void
  children: ReactNode
}

/** Stands around every page. */
export function Shell({ pending, onLang, children }: ShellProps) {
  const say = useText(shellText)
  useShellShortcuts()
  useConnection()
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes there, without a new entry in the history */}
      <a className="skip" href="#main" onClick={skip}>
        {say.skip}
      </a>
      <NavBar pending={pending} onLang={onLang} />
      <Banner />
      <main id="main" tabIndex={-1} aria-busy={pending || undefined}>
        {children}
        <FloatingAction />
      </main>
      <Footer onLang={onLang} />
      <BottomBar />
      <Toasts />
      <OpenShortcutsHelp />
    </>
  )
}

const bannerIcons = { reconnecting: RotateCw, offline: WifiOff, back: Wifi }

/** Says when the connection to the server is lost, and when it is back. */
function Banner() {
  const say = useText(shellText)
  const state = useConnectionState()
  return (
    <div className="banner-place" role="status">
      {state !== 'fine' && (
        <div className="banner" data-kind={state}>
          <Icon of={bannerIcons[state]} size="s" />
          {say[state]}
          {state === 'offline' && (
            <button type="button" onClick={retryConnection}>
              {say.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function skip(event: MouseEvent) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** Keeps the real-time connection. Each member has a connection of their own, and visitors have one too. */
function useConnection() {
  const me = useMe()?.id ?? null
  const askAgain = useMeAgain()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account needs another connection
  useEffect(() => {
    // Pages work without the connection; the next load tries again.
    startRealtime().catch(() => {})
    return stopRealtime
  }, [me])
  useEffect(
    () =>
      onSessionEnd(async () => {
        // The same member logged in anew in another tab: the connection belongs to a new session.
        if ((await askAgain())?.id === me) startRealtime().catch(() => {})
      }),
    [askAgain, me],
  )
  useBackgroundWork(me)
  useWatchHere(me !== null)
}

const shortcuts = modules.flatMap((module) => module.shortcuts ?? []).toSorted((a, b) => a.order - b.order)

function useShellShortcuts() {
  const say = useText(shellText)
  const lang = useLang()
  const me = useMe()
  const openHelp = useOpenShortcutsHelp()
  useShortcuts(say.keysEverywhere, [
    ...shortcuts
      .filter((shortcut) => isVisible(shortcut, me))
      .map(({ keys, does, run }) => ({ keys, does: does[lang], run: () => run(me) })),
    { keys: ['t'], does: say.keyTop, run: scrollToTop },
    { keys: ['?'], does: say.keyLegend, run: openHelp },
  ])
}

/** Fetched when somebody opens the list of shortcuts. */
const ShortcutsHelp = lazy(() => import('#web/ShortcutsHelp.tsx'))
const OpenShortcutsHelp = () =>
  useShortcutsHelp() && (
    <SafePage instead={null}>
      <Suspense>
        <ShortcutsHelp />
      </Suspense>
    </SafePage>
  )

/** The primary button of the top bar, which floats above the page on phones. */
function FloatingAction() {
  const [path] = useLocation()
  const lang = useLang()
  const me = useMe()
  if (!me || modules.some(({ withoutFloatingAction }) => withoutFloatingAction?.test(path))) return null
  return entriesAt('action', me).map(({ to, label, icon }) => (
    <Link key={to[0]} className="floating-action" href={to[0]!} aria-label={label[lang]}>
      <Icon of={icon} size="l" />
    </Link>
  ))
}
