import { Suspense, useState } from 'react'
import type { ListedUser } from '#features/people/contract.ts'
import type { FetchedListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { postsText } from './text.ts'

const PeopleDialog = lazyWithRetry(() => import('#features/people/web/PeopleDialog.tsx'))

interface LikeCountButtonProps {
  count: number
  /**
   * The query key of the list of likes, as one string: the API path of the list, a space, and the id of the
   * post or reply.
   */
  queryKey: string
  fetchPage: (from: string | null) => Promise<FetchedListPage<ListedUser[]>>
}

/**
 * Renders the number of likes of a post or reply as a button that opens the list of the people who like it.
 */
export function LikeCountButton({ count, ...list }: LikeCountButtonProps) {
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
