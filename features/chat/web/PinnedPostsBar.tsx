import './pinned-messages.css'
import { Pin } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePinnedPostsOfGroupOrCommunity } from '#features/posts/web/pinned-posts.ts'
import { useSubscribePostStoreToLiveEvents } from '#features/posts/web/post-queries.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { pinnedGroupPostsText, toPinnedPostTextOrNote } from './pinned-posts-text.ts'

const PinnedPostsDialog = lazy(() => import('./PinnedPostsDialog.tsx'))

/**
 * The maximum number of characters of a post that the bar shows, so that screen readers do not read a whole
 * post.
 */
const MAX_TEXT_LENGTH = 160

/**
 * Renders the bar under the header of a group with the post that was pinned last for the group, and a button
 * for the list of pinned posts if there are more. Renders nothing if no post is pinned.
 */
export default function PinnedPostsBar({ group, me }: { group: number; me: number }) {
  const t = useText(pinnedGroupPostsText)
  const [isOpen, setIsOpen] = useState(false)
  useSubscribePostStoreToLiveEvents(true)
  const { posts = [] } = usePinnedPostsOfGroupOrCommunity(group)
  const newest = posts[0]
  if (!newest) return null
  const { text, isNote } = toPinnedPostTextOrNote(newest, t)
  const lang = isNote ? undefined : detectLanguageOfUserText(text)
  const line = Array.from(text.replace(/\s+/g, ' ')).slice(0, MAX_TEXT_LENGTH).join('')
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
