import ContentFootersFromFeatures from '#web/AddedContentParts.tsx'
import { type Post, postChannelDefinitions } from '../contract.ts'
import { ReplyCountLink } from './ReplyCountLink.tsx'

interface PostFooterEndProps {
  post: Post
  hasReplyCount: boolean
}

/**
 * Renders the end of the footer of a post: the number of replies, and what later features add, such as
 * reactions. The code is loaded after the list of posts is drawn.
 */
export default function PostFooterEnd({ post, hasReplyCount }: PostFooterEndProps) {
  const { id, created_at: createdAt } = post
  return (
    <>
      {hasReplyCount && <ReplyCountLink post={post} />}
      <ContentFootersFromFeatures
        content={{ kind: 'post', id, createdAt, channel: postChannelDefinitions.posts.name }}
      />
    </>
  )
}
