import '#features/groups/web/group-dialog.css'
import { shorten } from '#core/text/shorten.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import type { Post } from '#features/posts/contract.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { describePost, pinnedPostsText } from './menu-text.ts'

interface Props {
  posts: readonly Post[]
  onClose: () => void
}

export default function PinnedPostsDialog({ posts, onClose }: Props) {
  const t = useText(pinnedPostsText)
  return (
    <Dialog open title={t.title} onClose={onClose} className="group-dialog pinned-messages">
      <ul className="rows">
        {posts.map((post) => (
          <PinnedPostRow key={post.id} post={post} />
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

function PinnedPostRow({ post }: { post: Post }) {
  const t = useText(pinnedPostsText)
  const { text, isNote } = describePost(post, t)
  const label = shorten(text.replace(/\s+/g, ' '), 40)
  return (
    <li className="row">
      <Avatar person={post.user} size="s" />
      <div className="text">
        <span className="name-line">
          <UserText className="name">{post.user.name}</UserText>
          <SharedHandle person={post.user} />
        </span>
        <p data-note={isNote || undefined} dir="auto" lang={isNote ? undefined : detectLanguage(text)}>
          {text}
        </p>
        <ButtonLink small href={`/posts/${post.id}`} label={t.openWhich(label)}>
          {t.open}
        </ButtonLink>
      </div>
    </li>
  )
}
