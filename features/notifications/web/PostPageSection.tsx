import { useParams } from 'wouter'
import * as replyStore from '#features/replies/web/reply-store.ts'
import { pageData } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { useMarkPostRead } from './useMarkPostRead.ts'

/** Shows nothing. */
export default function PostPageSection() {
  const post = Number(useParams<{ id: string }>().id)
  const rows = useStore(replyStore.state, ({ posts }) => posts.get(post)?.rows)
  const isLoaded = rows !== undefined || !pageData.app.features.includes('replies')
  useMarkPostRead(post, isLoaded ? { first_reply_id: rows?.[0]?.id, last_reply_id: rows?.at(-1)?.id } : null)
  return null
}
