import { Link } from 'wouter'
import { useText } from '#web/i18n.ts'
import { postsText } from './text.ts'

export function Tabs({ current }: { current: 'everyone' | 'following' }) {
  const t = useText(postsText)
  return (
    <nav className="tabs" aria-label={t.whichPosts}>
      <Link href="/" aria-current={current === 'everyone' ? 'page' : undefined}>
        {t.everyone}
      </Link>
      <Link href="/followingpostlist" aria-current={current === 'following' ? 'page' : undefined}>
        {t.following}
      </Link>
    </nav>
  )
}
