import { memo } from 'react'
import { Link } from 'wouter'
import { profilePath } from '#features/people/contract.ts'
import { langOf, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Post } from '../contract.ts'
import { LikeButton, Likes } from './LikeButton.tsx'
import { Pictures } from './Pictures.tsx'
import { PostMenu, postPath } from './PostMenu.tsx'
import { PostText } from './PostText.tsx'
import { postsText } from './text.ts'

interface PostCardProps {
  post: Post
  /** Whether the reader is a member, and may like it. */
  member: boolean
  /** Whether its pictures are visible without scrolling. */
  first: boolean
  /** On a page of its own, where the text is not shortened. */
  alone?: boolean
}

export const PostCard = memo(function PostCard({ post, member, first, alone }: PostCardProps) {
  const t = useText(postsText)
  const { user, body, images } = post
  return (
    <article
      className="post board"
      data-post={post.id}
      data-anchor={post.id}
      data-pictures={images.length || undefined}
      tabIndex={-1}
      aria-label={t.postBy(user.name)}
    >
      <div className="by">
        {member ? (
          <Link href={profilePath(user)} aria-hidden="true" tabIndex={-1}>
            <Avatar person={user} />
          </Link>
        ) : (
          <Avatar person={user} />
        )}
        <div className="who">
          {member ? (
            <Link className="name" href={profilePath(user)} dir="auto" lang={langOf(user.name)}>
              {user.name}
            </Link>
          ) : (
            <Name className="name">{user.name}</Name>
          )}
          <span className="when">
            <Link href={postPath(post)}>
              <Time at={post.created_at} whole={alone} />
            </Link>
          </span>
        </div>
        <PostMenu post={post} />
      </div>
      {body && <PostText whole={alone}>{body}</PostText>}
      {images.length > 0 && <Pictures images={images} first={first} />}
      <div className="under">{member ? <LikeButton post={post} /> : <Likes count={post.likes_count} />}</div>
    </article>
  )
})
