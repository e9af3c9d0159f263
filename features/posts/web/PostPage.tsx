import { Link, useParams } from 'wouter'
import { profilePath } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { Sidebar } from '#web/Sidebar.tsx'
import { usePageTitle } from '#web/title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { PostSkeleton } from '#web/ui/Loading.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { onePostText } from './one-post-text.ts'
import { PostCard } from './PostCard.tsx'
import { usePost } from './post-queries.ts'
import { postsText } from './text.ts'
import { usePostShortcuts } from './usePostShortcuts.ts'

/** The page of one post. */
export default function PostPage() {
  const t = { ...useText(postsText), ...useText(onePostText) }
  const me = useMe()
  const { post, error, isFetching, refetch } = usePost(Number(useParams<{ id: string }>().id))
  const title = post ? t.postBy(post.user.name) : t.onePost
  usePageTitle(title)
  usePostShortcuts()
  return (
    <PageLayout sidebar={<Sidebar />}>
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
      {post === undefined && error && (
        <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
    </PageLayout>
  )
}
