import { Suspense, useState } from 'react'
import type { ListedUser } from '#features/people/contract.ts'
import type { ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { postsText } from './text.ts'

const PeopleDialog = lazyWithRetry(() => import('#features/people/web/PeopleDialog.tsx'))

interface Props {
  count: number
  /** The API path of the list of likes, a space, and the id of the post or reply. */
  queryKey: string
  fetchPage: (from: string | null) => Promise<ListPage<ListedUser[]>>
}

/** Opens the list of the people who like the post or reply. */
export function LikeCountButton({ count, ...list }: Props) {
  const t = useText(postsText)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {count > 0 && (
        <button type="button" className="like-count" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          <span className="count">{count}</span>
          <span className="visually-hidden">{t.likes(count)}</span>
        </button>
      )}
      {isOpen && (
        <Suspense>
          <PeopleDialog list="likes" count={count} {...list} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
