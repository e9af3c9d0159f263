import '#features/posts/ui.css'
import { Link, useParams } from 'wouter'
import { profilePath } from '#features/people/contract.ts'
import { usePostShortcuts } from '#features/posts/keys.tsx'
import { usePost } from '#features/posts/lists.tsx'
import { PostCard } from '#features/posts/PostCard.tsx'
import { postsText } from '#features/posts/text.ts'
import { useMe } from '#web/me.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { useText } from '#web/text.ts'
import { usePageTitle } from '#web/title.ts'
import { PostSkeleton } from '#web/ui/Bones.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Avatar } from '#web/ui/Face.tsx'
import { LogoHouse } from '#web/ui/House.tsx'
import { PageHeader } from '#web/ui/Sill.tsx'
import { Sidebar } from '#web/Veranda.tsx'

/** One post, at an address of its own. */
export default function PostPage() {
  const t = useText(postsText)
  const me = useMe()
  const { data: post, error, isFetching, refetch } = usePost(Number(useParams<{ id: string }>().id))
  const title = post ? t.postBy(post.user.name) : t.onePost
  usePageTitle(title)
  usePostShortcuts()
  return (
    <LogoHouse veranda={<Sidebar />}>
      <PageHeader title={title}>{post && <Avatar person={post.user} size="s" />}</PageHeader>
      {post && (
        <>
          <div className="boards flush">
            <PostCard post={post} member={me !== null} first alone />
          </div>
          <p className="list-end">
            <Link className="link more-from" href={me ? profilePath(post.user) : '/'}>
              {me ? t.moreFrom(post.user.name) : t.allPosts}
            </Link>
          </p>
        </>
      )}
      {post === null && (
        <Empty title={t.postGone} help={t.postGoneHelp}>
          <ButtonLink kind="primary" href="/">
            {t.allPosts}
          </ButtonLink>
        </Empty>
      )}
      {post === undefined && !error && <PostSkeleton count={1} />}
      {post === undefined && error && <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />}
    </LogoHouse>
  )
}
