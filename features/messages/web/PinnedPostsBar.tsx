import './pins.css'
import { Pin } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { excerpt } from '#core/text/format.ts'
import { usePinnedPosts } from '#features/posts/web/pinned-posts.ts'
import { usePostEvents } from '#features/posts/web/post-queries.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { describePost, pinnedPostsText } from './menu-text.ts'

const PinnedPostsDialog = lazy(() => import('./PinnedPostsDialog.tsx'))

/** In characters, so that screen readers do not read a whole post. */
const MAX_TEXT_LENGTH = 160

export default function PinnedPostsBar({ group, me }: { group: number; me: number }) {
  const t = useText(pinnedPostsText)
  const [isOpen, setIsOpen] = useState(false)
  usePostEvents(true)
  const { posts = [] } = usePinnedPosts(group)
  const newest = posts[0]
  if (!newest) return null
  const { text, isNote } = describePost(newest, t)
  const lang = isNote ? undefined : detectLanguage(text)
  const line = excerpt(text, MAX_TEXT_LENGTH).replace(/\s+/g, ' ')
  return (
    <section className="pinned-bar" aria-label={t.title}>
      <Link className="newest" href={`/posts/${newest.id}`}>
        <Icon icon={Pin} size="s" />
        <span className="text">
          <UserText className="name">
            {newest.user.id === me ? t.ownPost : t.postBy(newest.user.name)}
          </UserText>{' '}
          <span className="line" data-note={isNote || undefined} lang={lang}>
            <bdi>{line}</bdi>
          </span>
        </span>
      </Link>
      {posts.length > 1 && (
        <Button kind="ghost" small label={t.showAll(posts.length)} onClick={() => setIsOpen(true)}>
          {t.all(posts.length)}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <PinnedPostsDialog posts={posts} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
