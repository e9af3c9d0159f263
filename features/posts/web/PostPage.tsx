import { useParams } from 'wouter'
import { profilePath } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { usePageTitle } from '#web/title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PostSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { PageSections } from '#web/views.tsx'
import { LazyShortcuts } from './LazyShortcuts.tsx'
import { PostCard } from './PostCard.tsx'
import { postPageText } from './pages-text.ts'
import { usePost } from './post-queries.ts'
import { postsText } from './text.ts'

export default function PostPage() {
  const t = { ...useText(postsText), ...useText(postPageText) }
  const me = useMe()
  const { post, error, isFetching, refetch } = usePost(Number(useParams<{ id: string }>().id))
  const title = post ? t.postBy(post.user.name) : t.title
  usePageTitle(title)
  return (
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={title}>{post && <Avatar person={post.user} size="s" />}</PageHeader>
      {post && (
        <>
          <LazyShortcuts />
          <div className="cards flush">
            <PostCard post={post} isMember={me !== null} isAboveFold isStandalone />
          </div>
          <PageSections path="/posts/:id" />
          <p className="list-end">
            <Link className="link more-posts-link" href={me ? profilePath(post.user) : '/'}>
              {me ? t.moreFrom(post.user.name) : t.allPosts}
            </Link>
          </p>
        </>
      )}
      {post === null && (
        <EmptyState title={t.postGone} help={t.postGoneHelp}>
          <ButtonLink kind="primary" href="/">
            {t.allPosts}
          </ButtonLink>
        </EmptyState>
      )}
      {post === undefined && !error && <PostSkeletons count={1} />}
      {post === undefined && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
    </PageLayout>
  )
}
