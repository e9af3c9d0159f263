import { House, MessageCircle, Newspaper, PenLine, Search, UserRound } from 'lucide-react'
import { lazy, type MouseEvent, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { profilePath } from '#features/people/contract.ts'
import { Banner } from '#web/Banner.tsx'
import { Footer } from '#web/Footer.tsx'
import { useText } from '#web/i18n.ts'
import { useMe, useMeAgain } from '#web/me.ts'
import { chatPaths, NavBar } from '#web/NavBar.tsx'
import { NavLink } from '#web/NavLink.tsx'
import { onSessionEnd, startRealtime, stopRealtime, useWatchHere } from '#web/realtime.ts'
import { SafePage } from '#web/SafePage.tsx'
import { scrollToTop } from '#web/scroll.ts'
import { shellText } from '#web/shell-text.ts'
import { useOpenShortcutsHelp, useShortcuts, useShortcutsHelp } from '#web/shortcuts.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'
import { forgetUnread, shownCount, useUnreadSum, useWatchUnread } from '#web/unread.ts'

interface ShellProps {
  /** The next page is on its way. */
  pending: boolean
  onLang: (lang: Lang) => void
  children: ReactNode
}

/** What is around every page. */
export function Shell({ pending, onLang, children }: ShellProps) {
  const say = useText(shellText)
  useEverywhereKeys()
  useLive()
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes there, without a new entry in the history */}
      <a className="skip" href="#main" onClick={skip}>
        {say.skip}
      </a>
      <NavBar pending={pending} />
      <Banner />
      <main id="main" tabIndex={-1} aria-busy={pending || undefined}>
        {children}
        <ComposeFloat />
      </main>
      <Footer onLang={onLang} />
      <BottomBar />
      <Toasts />
      <ShownLegend />
    </>
  )
}

function skip(event: MouseEvent) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The line on which everything new arrives. Each person has one of their own, and visitors too. */
function useLive() {
  const me = useMe()?.id ?? null
  const askAgain = useMeAgain()
  useEffect(() => {
    // Without it the pages work all the same; the next load tries again.
    startRealtime().catch(() => {})
    return () => {
      stopRealtime()
      if (me !== null) forgetUnread()
    }
  }, [me])
  useEffect(
    () =>
      onSessionEnd(async () => {
        // Logged in anew in another tab: the same person, another session.
        if ((await askAgain())?.id === me) startRealtime().catch(() => {})
      }),
    [askAgain, me],
  )
  useWatchUnread(me)
  useWatchHere(me !== null)
}

function useEverywhereKeys() {
  const say = useText(shellText)
  const [, go] = useLocation()
  const me = useMe()
  const openLegend = useOpenShortcutsHelp()
  const search = () => {
    const box = document.querySelector<HTMLElement>('#main .search input')
    if (box) box.focus()
    else go('/follow', { state: { search: true } })
  }
  const to = (keys: string, does: string, path: string) => ({ keys: [keys], does, run: () => go(path) })
  useShortcuts(say.keysEverywhere, [
    ...(me ? [to('n', say.keyNewPost, '/post')] : []),
    { keys: ['s', '/'], does: say.keySearch, run: search },
    to('g h', say.keyHome, '/'),
    ...(me
      ? [
          to('g f', say.keyFollowing, '/followingpostlist'),
          to('g c', say.keyChat, '/users'),
          to('g g', say.keyGroups, '/my-groups'),
          to('g p', say.keyMe, profilePath(me)),
        ]
      : []),
    { keys: ['t'], does: say.keyTop, run: scrollToTop },
    { keys: ['?'], does: say.keyLegend, run: openLegend },
  ])
}

/** Fetched when somebody asks for it. */
const Legend = lazy(() => import('#web/ShortcutsHelp.tsx'))
const ShownLegend = () =>
  useShortcutsHelp() && (
    <SafePage instead={null}>
      <Suspense>
        <Legend />
      </Suspense>
    </SafePage>
  )

/** Pages with a button of their own in its place. */
const withoutCompose =
  /^\/(post$|edit|follow|cart|products|user|dashboard|users|privatechat|my-groups|group-chat|chat|admin)/

function ComposeFloat() {
  const [path] = useLocation()
  const say = useText(shellText)
  if (!useMe() || withoutCompose.test(path)) return null
  return (
    <Link className="compose-float" href="/post" aria-label={say.newPost}>
      <Icon of={PenLine} size="l" />
    </Link>
  )
}

function BottomBar() {
  const say = useText(shellText)
  const me = useMe()
  const unread = useUnreadSum()
  const spoken = unread ? `${say.chat}, ${say.unread(shownCount(unread))}` : say.chat
  const ways: { to: readonly string[]; label: string; icon: LucideIcon; within?: RegExp; dot?: boolean }[] = [
    { to: ['/', '/postlist'], label: say.home, icon: House },
    { to: ['/followingpostlist'], label: say.posts, icon: Newspaper },
    { to: ['/follow'], label: say.searchUsers, icon: Search },
    { to: ['/users'], within: chatPaths, label: spoken, icon: MessageCircle, dot: unread > 0 },
    {
      to: me ? [profilePath(me)] : ['/login', '/register'],
      within: /^\/edit$/,
      label: say.profile,
      icon: UserRound,
    },
  ]
  return (
    <nav className="bottom-bar" aria-label={say.mainShort}>
      {ways.map(({ to, within, label, icon, dot }) => (
        <NavLink key={to[0]} to={to} {...(within && { within })} label={label}>
          <Icon of={icon} size="l" />
          {dot && <span className="dot" />}
        </NavLink>
      ))}
    </nav>
  )
}
