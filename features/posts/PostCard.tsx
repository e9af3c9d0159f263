import { memo } from 'react'
import type { Post } from '#features/posts/contract.ts'
import { LikeButton, Likes } from '#features/posts/LikeButton.tsx'
import { Pictures } from '#features/posts/Pictures.tsx'
import { PostText } from '#features/posts/PostText.tsx'
import { postsText } from '#features/posts/text.ts'
import { useText } from '#web/text.ts'
import { Face } from '#web/ui/Face.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Time } from '#web/ui/Time.tsx'

interface PostCardProps {
  post: Post
  /** Whether the reader is a member, who may like it. */
  member: boolean
  /** Whether its pictures are on the first screen. */
  first: boolean
}

export const PostCard = memo(function PostCard({ post, member, first }: PostCardProps) {
  const t = useText(postsText)
  const { user, body, images } = post
  return (
    <article className="post board" data-post={post.id} data-anchor={post.id} tabIndex={-1} aria-label={t.postBy(user.name)}>
      <div className="by">
        <Face person={user} />
        <div className="who">
          <Name className="name">{user.name}</Name>
          <span className="when">
            <Time at={post.created_at} />
          </span>
        </div>
      </div>
      {body && <PostText>{body}</PostText>}
      {images.length > 0 && <Pictures images={images} first={first} />}
      <div className="under">{member ? <LikeButton post={post} /> : <Likes count={post.likes_count} />}</div>
    </article>
  )
})
