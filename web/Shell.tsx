import { House, MessageCircle, Newspaper, PenLine, Search, UserRound } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { Banner } from '#web/Banner.tsx'
import { Bar, chatPaths } from '#web/Bar.tsx'
import { Foot } from '#web/Foot.tsx'
import { onSessionEnd, startLive, stopLive, useWatchHere } from '#web/live.ts'
import { useMe, useMeAgain } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'
import { forgetUnread, shownCount, useUnreadSum, useWatchUnread } from '#web/unread.ts'
import { Way } from '#web/Way.tsx'
import { words } from '#web/words.ts'

interface ShellProps {
  /** The next page is on its way. */
  pending: boolean
  onLang: (lang: Lang) => void
  children: ReactNode
}

/** What is around every page. */
export function Shell({ pending, onLang, children }: ShellProps) {
  const say = useText(words)
  useKeys()
  useLive()
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes there, without a new entry in the history */}
      <a className="skip" href="#main" onClick={skip}>
        {say.skip}
      </a>
      <Bar pending={pending} />
      <Banner />
      <main id="main" tabIndex={-1} aria-busy={pending || undefined}>
        {children}
        <ComposeFloat />
      </main>
      <Foot onLang={onLang} />
      <BottomBar />
      <Toasts />
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
    startLive().catch(() => {})
    return () => {
      stopLive()
      if (me !== null) forgetUnread()
    }
  }, [me])
  useEffect(
    () =>
      onSessionEnd(async () => {
        // Logged in anew in another tab: the same person, another session.
        if ((await askAgain())?.id === me) startLive().catch(() => {})
      }),
    [askAgain, me],
  )
  useWatchUnread(me)
  useWatchHere(me !== null)
}

/** `n` writes a new post, wherever nothing else is being typed or open. */
function useKeys() {
  const [path, go] = useLocation()
  const me = useMe()
  const ready = me !== null && path !== '/post'
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'n' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return
      const typing = (event.target as Element).closest('input, textarea, select, [contenteditable]')
      if (!ready || typing || document.querySelector('dialog:modal')) return
      event.preventDefault()
      go('/post')
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [ready, go])
}

/** Pages with a button of their own in its place. */
const withoutCompose = /^\/(post$|users|privatechat|my-groups|group-chat|chat|admin)/

function ComposeFloat() {
  const [path] = useLocation()
  const say = useText(words)
  if (!useMe() || withoutCompose.test(path)) return null
  return (
    <Link className="compose-float" href="/post" aria-label={say.newPost}>
      <Icon of={PenLine} size="l" />
    </Link>
  )
}

function BottomBar() {
  const say = useText(words)
  const me = useMe()
  const unread = useUnreadSum()
  const spoken = unread ? `${say.chat}, ${say.unread(shownCount(unread))}` : say.chat
  const ways: { to: readonly string[]; label: string; icon: LucideIcon; within?: RegExp; dot?: boolean }[] = [
    { to: ['/', '/postlist'], label: say.home, icon: House },
    { to: ['/followingpostlist'], label: say.posts, icon: Newspaper },
    { to: ['/follow'], label: say.searchUsers, icon: Search },
    ...(me ? [{ to: ['/users'], within: chatPaths, label: spoken, icon: MessageCircle, dot: unread > 0 }] : []),
    { to: me ? ['/edit'] : ['/login', '/register'], label: say.profile, icon: UserRound },
  ]
  return (
    <nav className="bottom-bar" aria-label={say.mainShort}>
      {ways.map(({ to, within, label, icon, dot }) => (
        <Way key={to[0]} to={to} {...(within && { within })} label={label}>
          <Icon of={icon} size="l" />
          {dot && <span className="dot" />}
        </Way>
      ))}
    </nav>
  )
}
