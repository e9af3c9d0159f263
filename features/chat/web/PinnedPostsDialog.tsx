import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import type { Post } from '#features/posts/contract.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { pinnedGroupPostsText, toPinnedPostTextOrNote } from './pinned-posts-text.ts'

interface PinnedPostsDialogProps {
  posts: readonly Post[]
  onClose: () => void
}

/** Renders the dialog with the pinned posts of a group, with links to their pages. */
export default function PinnedPostsDialog({ posts, onClose }: PinnedPostsDialogProps) {
  const t = useText(pinnedGroupPostsText)
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
  const t = useText(pinnedGroupPostsText)
  const { text, isNote } = toPinnedPostTextOrNote(post, t)
  const label = Array.from(text.replace(/\s+/g, ' ')).slice(0, 40).join('')
  return (
    <li className="row">
      <Avatar person={post.user} size="s" />
      <div className="text">
        <span className="name-line">
          <UserText className="name">{post.user.name}</UserText>
          <HandleShownForLookalikeName person={post.user} />
        </span>
        <p
          data-note={isNote || undefined}
          dir="auto"
          lang={isNote ? undefined : detectLanguageOfUserText(text)}
        >
          {text}
        </p>
        <ButtonLink small href={`/posts/${post.id}`} label={t.openWhich(label)}>
          {t.open}
        </ButtonLink>
      </div>
    </li>
  )
}
