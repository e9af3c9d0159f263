import './post-marks.css'
import { Bookmark } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Dot, defineTexts, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import type { Post } from '../contract.ts'
import { AudienceBadge } from './AudienceBadge.tsx'

const VersionsDialog = lazyWithRetry(() => import('./VersionsDialog.tsx'))

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

/** Loaded when the first post with such a mark is shown. PostCard renders the mark of a pinned post. */
export default function Marks({ post }: { post: Post }) {
  const t = useText(markText)
  const { audience, group_id, edited_at, bookmarked_by_me } = post
  return (
    <>
      {audience && <AudienceBadge audience={audience} group={group_id} />}
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

function EditedMark({ post }: { post: Post }) {
  const t = useText(markText)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Dot />
      <button type="button" className="edited-mark" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t.edited}
        <span className="visually-hidden">: {t.showVersions}</span>
      </button>
      {isOpen && (
        <Suspense>
          <VersionsDialog post={post} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
