import './post-marks.css'
import { Bookmark } from 'lucide-react'
import { Suspense, useState } from 'react'
import { defineTexts, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import type { Post } from '../contract.ts'
import { PostAudienceBadge } from './PostAudienceBadge.tsx'

const PostVersionsDialog = lazyWithRetry(() => import('./PostVersionsDialog.tsx'))

const markText = defineTexts({
  en: {
    edited: 'edited',
    showVersions: 'show the versions',
    bookmarked: 'In your bookmarks',
  },
  ja: {
    edited: '編集済み',
    showVersions: '編集履歴を見る',
    bookmarked: 'ブックマーク済み',
  },
})

/**
 * Renders the marks beside the time of a post: its audience, and whether it is bookmarked or edited. PostCard
 * renders the mark of a pinned post. The code is loaded when the first post with such a mark is shown.
 */
export default function PostMarks({ post }: { post: Post }) {
  const t = useText(markText)
  const { audience, group_id, edited_at, bookmarked_by_me } = post
  return (
    <>
      {audience && <PostAudienceBadge audience={audience} group={group_id} />}
      {bookmarked_by_me && <Mark icon={Bookmark} text={t.bookmarked} />}
      {edited_at && <EditedMark post={post} />}
    </>
  )
}

const Mark = ({ icon, text }: { icon: LucideIcon; text: string }) => (
  <span className="audience-mark" title={text}>
    <Icon icon={icon} size="s" />
    <span className="visually-hidden">{text}</span>
  </span>
)

/** Renders the word “edited” as a button that opens the earlier versions of the post. */
function EditedMark({ post }: { post: Post }) {
  const t = useText(markText)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {' · '}
      <button type="button" className="edited-mark" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t.edited}
        <span className="visually-hidden">: {t.showVersions}</span>
      </button>
      {isOpen && (
        <Suspense>
          <PostVersionsDialog post={post} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
