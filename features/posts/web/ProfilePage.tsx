import './profile.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageCircle, UserPen } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useParams } from 'wouter'
import { peopleEndpoints } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIds } from '#features/people/web/followed-ids.ts'
import { OwnMenu } from '#features/people/web/OwnMenu.tsx'
import { PersonMenu } from '#features/people/web/PersonMenu.tsx'
import { Reading } from '#features/people/web/Reading.tsx'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { NotFoundPage } from '#web/ErrorPage.tsx'
import { hasStatus } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { linkify } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { usePageTitle } from '#web/title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PostSkeletons } from '#web/ui/LoadingText.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { hasPage, PageSections } from '#web/views.tsx'
import { type FullProfile, postEndpoints } from '../contract.ts'
import { PostList } from './PostList.tsx'
import { profileText } from './pages-text.ts'
import * as store from './post-store.ts'
import { postsText } from './text.ts'

const PeopleDialog = lazyWithRetry(() => import('#features/people/web/PeopleDialog.tsx'))
const KnowButton = lazyWithRetry(() => import('#features/account/web/KnowButton.tsx'))

const useAuthor = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: [postEndpoints.author.path, id],
    queryFn: () => callEndpoint(postEndpoints.author, { id }),
    initialData: () => findAnswer(postEndpoints.author, { id })?.body as FullProfile | undefined,
    retry: (count, error) => count < 2 && !hasStatus(error, 404) && !hasStatus(error, 422),
    enabled,
  })

export default function ProfilePage() {
  const id = Number(useParams<{ id: string }>().id)
  const me = useMe()
  const { data: author, error, isFetching, refetch } = useAuthor(id, me !== null)
  usePageTitle(author?.name ?? null)
  if (!author && (hasStatus(error, 404) || hasStatus(error, 422))) return <NotFoundPage />
  const isOwn = me?.id === id
  return (
    <PageLayout sidebar={me && <Sidebar />}>
      <ProfileHeader author={me ? author : undefined} isOwn={isOwn} />
      {me && author && (
        <PostList
          path={store.authorPath(id)}
          ofOneAuthor
          me={me}
          empty={<NoPosts author={author} isOwn={isOwn} />}
        />
      )}
      {me && !author && !error && <PostSkeletons count={2} />}
      {(!me || hasStatus(error, 401)) && <LogInPrompt />}
      {me && !author && error && !hasStatus(error, 401) && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
    </PageLayout>
  )
}

/** Has a title also while the profile loads, so that the focus can stay on it. */
function ProfileHeader({ author, isOwn }: { author: FullProfile | undefined; isOwn: boolean }) {
  const p = useText(profileText)
  return (
    <section className="profile" aria-label={p.profile}>
      <div className="profile-header">
        <Avatar person={author ?? null} size="xl" />
        <div className="actions">
          {author && !isOwn && <ProfileActions author={author} />}
          {isOwn && (
            <ButtonLink icon={UserPen} href="/edit">
              {p.editProfile}
            </ButtonLink>
          )}
          {author && isOwn && <OwnMenu id={author.id} />}
        </div>
      </div>
      <h1 tabIndex={-1}>{author ? <UserText>{author.name}</UserText> : p.profile}</h1>
      {author && <Reading person={author} />}
      {author && <SharedHandle person={author} />}
      {author && <ProfileDetails author={author} />}
      {author && !isOwn && (
        <Suspense>
          <PageSections path="/people/:id" />
        </Suspense>
      )}
    </section>
  )
}

function ProfileDetails({ author }: { author: FullProfile }) {
  const { id, bio, posts_count, following_count, followers_count, follows_me } = author
  const p = useText(profileText)
  const [list, setList] = useState<'following' | 'followers' | null>(null)
  return (
    <>
      {bio && (
        <div className="bio prose" dir="auto" lang={detectLanguage(bio)}>
          {linkify(bio)}
        </div>
      )}
      <p className="counts">
        <Count number={posts_count} words={p.countPosts} />
        <button type="button" className="link" onClick={() => setList('following')}>
          <Count number={following_count} words={p.countFollowing} />
        </button>
        <button type="button" className="link" onClick={() => setList('followers')}>
          <Count number={followers_count} words={p.countFollowers} />
        </button>
        {follows_me && <span className="chip">{p.followsYou}</span>}
      </p>
      {list && (
        <Suspense>
          <PeopleDialog
            list={list}
            count={author[`${list}_count`]}
            queryKey={`${peopleEndpoints[list].path} ${id}`}
            fetchPage={(from) => fetchPage(peopleEndpoints[list], { id }, from)}
            onClose={() => setList(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Moderators also get a button that ends the limits for new members. */
function ProfileActions({ author }: { author: FullProfile }) {
  const p = useText(profileText)
  const client = useQueryClient()
  const followings = useFollowedIds()
  const isFollowing = followings.data?.includes(author.id)
  if (isFollowing === undefined) return null
  const reload = () => client.invalidateQueries({ queryKey: [postEndpoints.author.path, author.id] })
  return (
    <>
      {hasPage('/privatechat/1') && (
        <ButtonLink icon={MessageCircle} href={`/privatechat/${author.id}`} state={{ begin: author.name }}>
          {p.sendMessage}
        </ButtonLink>
      )}
      {author.is_new && (
        <Suspense>
          <KnowButton person={author} onDone={reload} />
        </Suspense>
      )}
      <div className="with-menu">
        <FollowButton
          person={author}
          isFollowing={isFollowing}
          onDone={() => {
            void reloadPosts(author.id)
            return reload()
          }}
        />
        <PersonMenu person={author} isMuted={author.is_muted === true} />
      </div>
    </>
  )
}

/** After a follow or unfollow, because some posts may be for followers only. */
async function reloadPosts(author: number) {
  const path = store.authorPath(author)
  await store.load(async () => {
    const page = await fetchPage(postEndpoints.list, {}, path).catch(() => null)
    if (page) store.replaceLists(path, page)
  })
}

function Count({ number, words }: { number: number; words: (n: number) => readonly [string, string] }) {
  const [before, after] = words(number)
  return (
    <span>
      {before}
      <b>{number}</b>
      {after}
    </span>
  )
}

function NoPosts({ author, isOwn }: { author: FullProfile; isOwn: boolean }) {
  const t = useText(postsText)
  const p = useText(profileText)
  return (
    <EmptyState title={isOwn ? p.noPostsOwn : p.noPostsOf(author.name)}>
      <ButtonLink kind={isOwn ? 'primary' : 'secondary'} href={isOwn ? '/post' : '/'}>
        {isOwn ? t.writePost : t.allPosts}
      </ButtonLink>
    </EmptyState>
  )
}
